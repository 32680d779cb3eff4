import FastCGI
import HTTPTypes
import Logging
import POSIX
import RelyingParty
import SiteauthConfiguration

/// The adapter between nginx and the relying party: variables in, response and log lines out.
///
/// Decisions depend only on variables that nginx sets. Variables that begin with `HTTP_` are header
/// fields of the client, and are treated as such.
struct Gateway: Sendable {
    static let maximumBodyBytes = 64 << 10

    let live: LiveConfiguration
    let logger: Logger
    let pools: ProviderPools

    /// Answers on the socket for checks, whatever the other variables say.
    func check(_ exchange: borrowing some GatewayExchange & ~Copyable) -> (
        response: HTTPResponse, body: [UInt8]
    ) {
        let start = Host.uptimeNanoseconds
        let relyingParty = live.relyingParty
        let path = exchange.variable("SITE_PATH")
        let release = exchange.variable("SITE_RELEASE")
        let cookie = exchange.field("HTTP_COOKIE")
        let fetch = FetchMetadata(
            method: exchange.variable("REQUEST_METHOD"),
            mode: exchange.field("HTTP_SEC_FETCH_MODE"),
            accept: exchange.field("HTTP_ACCEPT"),
            requestedWith: exchange.field("HTTP_X_REQUESTED_WITH"),
            purpose: exchange.field("HTTP_SEC_PURPOSE")
        )
        let address = exchange.variable("SITE_CLIENT_ADDRESS").flatMap { $0.isEmpty ? nil : $0 }
        // An application behind nginx learns who asks; files need no identity.
        let response =
            exchange.variable("SITE_IDENTITY") == nil
            ? relyingParty.check(
                path: path,
                release: release,
                cookie: cookie,
                fetch: fetch,
                address: address
            )
            : relyingParty.identity(
                path: path,
                // nginx passes an unset variable on as an empty one; what is no UTF-8 is no path.
                target: exchange.field("SITE_TARGET").flatMap { $0.isEmpty ? nil : $0 },
                release: release,
                cookie: cookie,
                fetch: fetch,
                address: address,
                audience: exchange.variable("SITE_AUDIENCE").flatMap { $0.isEmpty ? nil : $0 }
            )
        relyingParty.metrics.countCheck(
            response.http.status,
            nanoseconds: Host.uptimeNanoseconds - start
        )
        return (response.http, response.body)
    }

    /// Answers on the socket for operators, which no URL of the site reaches.
    func status(_ exchange: borrowing some GatewayExchange & ~Copyable) -> Reply.Answer {
        let method = exchange.variable("REQUEST_METHOD")
        guard let page = exchange.variable("SITE_STATUS").flatMap(StatusPage.init(rawValue:)),
            method == "GET" || method == "HEAD"
        else { return logged(RelyingParty.notFound(), nil) }
        return logged(live.relyingParty.status(page), nil)
    }

    /// Answers on the socket for pages; a request that must wait for the provider waits in a pool.
    func page(_ exchange: borrowing some GatewayExchange & ~Copyable) -> Reply {
        let relyingParty = live.relyingParty
        guard let request = request(exchange, to: relyingParty) else {
            return .now(logged(RelyingParty.notFound(), nil))
        }
        switch relyingParty.outcome(of: request) {
        case .answer(let response): return .now(logged(response, request))
        case .wait(let waiting):
            return .later(in: pools[waiting.queue]) {
                logged(relyingParty.finish(waiting, request), request)
            } refusal: {
                logged(relyingParty.refuse(waiting, request), request)
            }
        }
    }

    /// Answers on the calling thread, for a CGI process, which serves one request only.
    func pageSynchronously(_ exchange: borrowing some GatewayExchange & ~Copyable) -> Reply.Answer {
        let relyingParty = live.relyingParty
        guard let request = request(exchange, to: relyingParty) else {
            return logged(RelyingParty.notFound(), nil)
        }
        return logged(relyingParty.respond(to: request), request)
    }

    private func request(
        _ exchange: borrowing some GatewayExchange & ~Copyable,
        to relyingParty: RelyingParty
    ) -> Request? {
        let callbackPath = relyingParty.configuration.redirectURI.path
        guard let path = exchange.variable("SITE_ROUTE"),
            let route = Route(path: path, callbackPath: callbackPath),
            let method = exchange.variable("REQUEST_METHOD").flatMap({
                HTTPRequest.Method(rawValue: $0)
            }),
            let body = exchange.body(maximumBytes: Self.maximumBodyBytes)
        else { return nil }
        return Request(
            route: route,
            method: method,
            query: exchange.variable("QUERY_STRING") ?? "",
            headerFields: exchange.headerFields,
            body: body,
            // Bytes that are no UTF-8 are a wanted page, too, though none to come back to.
            wantedURI: exchange.field("SITE_WANTED").flatMap { wanted in
                wanted.isEmpty ? nil : exchange.variable("SITE_WANTED") ?? ""
            },
            release: exchange.variable("SITE_RELEASE"),
            clientAddress: exchange.variable("SITE_CLIENT_ADDRESS").flatMap {
                $0.isEmpty ? nil : $0
            },
            reference: reference(of: exchange)
        )
    }

    private func logged(_ response: Response, _ request: Request?) -> Reply.Answer {
        for event in response.events { logger.log(event, of: request) }
        return (response.http, response.body)
    }

    /// The first digits of nginx's `$request_id`, short enough to be read out on the telephone.
    private func reference(of exchange: borrowing some GatewayExchange & ~Copyable) -> String {
        let id = exchange.variable("SITE_REQUEST_ID") ?? ""
        let digits = id.filter { $0.isHexDigit && $0.isASCII }.prefix(8)
        return digits.isEmpty ? "00000000" : String(digits)
    }
}

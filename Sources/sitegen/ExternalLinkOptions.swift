import ArgumentParser
import Curl
import HTTPTypes
import POSIX
import SiteGenerator

/// How external links are checked.
struct ExternalLinkOptions: ParsableArguments {
    @Flag(help: "Also check links to other sites.")
    var external = false

    @Flag(help: "Also check links to this machine and to private networks.")
    var allowPrivate = false

    @Option(help: "Wait this many seconds for one answer.")
    var timeout = 10

    @Option(help: "Stop checking external links after this many seconds.")
    var totalTime = 300

    @Option(help: "Check this many links at once.")
    var parallel = 16

    @Option(help: "Check this many links of one host at once.")
    var perHost = 2

    @Option(
        help:
            "Remember working links in this file (default: .sitegen/links.json beside sitegen.toml)."
    )
    var cache: String?

    @Option(help: "Trust remembered links for this many hours; 0 checks every link.")
    var maxAge = 24

    func validate() throws {
        let counts = [timeout, totalTime, parallel, perHost]
        guard counts.allSatisfy({ (1...86_400).contains($0) }), (0...8760).contains(maxAge) else {
            throw ValidationError(
                "'--max-age' must be from 0 to 8760; '--timeout', '--total-time', '--parallel' and "
                    + "'--per-host' must be from 1 to 86400"
            )
        }
    }

    func check(beside configurationPath: String) -> ExternalLinkCheck {
        HTTPClient.prepare()
        let client = HTTPClient(
            maximumBodyBytes: 64 << 10,
            connectSeconds: min(5, timeout),
            totalSeconds: timeout,
            networkScope: allowPrivate ? .anywhere : .publicInternet,
            cutsBody: true
        )
        var check = ExternalLinkCheck(
            ask: { Self.ask($0, $1, client) },
            now: { Host.time }
        )
        check.jobs = parallel
        check.jobsPerHost = perHost
        check.totalSeconds = totalTime
        check.cacheSeconds = maxAge * 3600
        let slash = configurationPath.lastIndex(of: "/")
        let folder = slash.map { String(configurationPath[...$0]) } ?? ""
        if cache == nil { try? Folder.create("\(folder).sitegen") }
        check.cachePath = cache ?? "\(folder).sitegen/links.json"
        return check
    }

    private static func ask(
        _ address: ExternalAddress,
        _ method: ExternalLinkCheck.Method,
        _ client: HTTPClient
    ) -> ExternalLinkAnswer {
        let request = HTTPRequest(
            method: method == .head ? .head : .get,
            scheme: address.scheme,
            authority: address.authority,
            path: address.target,
            headerFields: [.accept: "*/*", .userAgent: "sitegen-check/0.1"]
        )
        do {
            let response = try client.send(request, body: []).response
            return .status(response.status.code, location: response.headerFields[.location])
        } catch {
            return error.isRefusedAsPrivate ? .refusedAsPrivate : .trouble(error.description)
        }
    }
}

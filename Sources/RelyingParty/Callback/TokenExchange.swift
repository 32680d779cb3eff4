import HTTPTypes
import Jansson
import SiteauthConfiguration

/// Redeems a code at the token endpoint (RFC 6749, section 4.1.3), and leaves authorization requests
/// with the provider (RFC 9126), for which this site proves in the same way who it is.
struct TokenExchange: Sendable {
    enum Failure: Error, Sendable, CustomStringConvertible {
        case refused(OAuthErrorResponse, status: Int)
        case unreachable(String)
        /// The endpoint is temporarily out of order: a 5xx, a 429, or a proxy's error page.
        case unavailable(String)
        /// The endpoint's answer violates the standard.
        case unusable(String)

        var description: String {
            switch self {
            case .refused(let refusal, let status): "status \(status), \(refusal.explainedLogText)"
            case .unreachable(let reason), .unavailable(let reason), .unusable(let reason): reason
            }
        }
    }

    /// The tokens of a successful answer.
    struct Tokens: Sendable {
        let idToken: String
        /// The access token for Graph or UserInfo.
        ///
        /// It is used at once, never parsed and never stored.
        let accessToken: String?
    }

    let configuration: AuthConfiguration
    let environment: Environment

    func tokens(
        code: String,
        verifier: String,
        proof: ClientProof,
        at endpoint: WebURL
    ) throws(Failure) -> Tokens {
        let parameters = [
            ("grant_type", "authorization_code"), ("code", code),
            ("redirect_uri", configuration.redirectURI.text), ("code_verifier", verifier),
        ]
        return try post(parameters, proof, to: endpoint, expecting: 200) {
            (members) throws(MemberError) in try Tokens(members)
        }
    }

    /// A token for this site itself (RFC 6749, section 4.4), and the seconds until it ends.
    func applicationToken(
        for scope: String,
        proof: ClientProof,
        at endpoint: WebURL
    ) throws(Failure) -> (text: String, seconds: Int) {
        let parameters = [("grant_type", "client_credentials"), ("scope", scope)]
        return try post(parameters, proof, to: endpoint, expecting: 200) {
            (members) throws(MemberError) in
            let text = try members.required("access_token", members.bearerToken())
            return (text, try members.secondsLeft())
        }
    }

    /// The URI under which the provider keeps an authorization request (RFC 9126, section 2.2).
    func requestURI(
        for parameters: [(String, String)],
        proof: ClientProof,
        at endpoint: WebURL
    ) throws(Failure) -> String {
        let proving = Set(proof.parameters.map(\.0))
        let parameters = parameters.filter { !proving.contains($0.0) }
        return try post(parameters, proof, to: endpoint, expecting: 201) {
            (members) throws(MemberError) in
            _ = try members.secondsLeft()
            let uri = try members.text("request_uri", maximumBytes: 512)
            guard uri.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), uri.contains(":") else {
                throw MemberError("request_uri", .wrong(expected: "a URI"))
            }
            return uri
        }
    }

    /// - Parameter success: the status of an answer without an error.
    private func post<Answer>(
        _ parameters: [(String, String)],
        _ proof: ClientProof,
        to endpoint: WebURL,
        expecting success: Int,
        _ read: (JSON.Members) throws(MemberError) -> Answer
    ) throws(Failure) -> Answer {
        let body = Form.encode(parameters + proof.parameters)
        // There is no `Origin`: Entra refuses client credentials from a request that looks like a
        // browser's.
        let form = "application/x-www-form-urlencoded"
        var request = HTTPRequest(
            .post,
            endpoint,
            [.accept: "application/json", .contentType: form]
        )
        request.headerFields[.authorization] = proof.authorization
        let answer: (response: HTTPResponse, body: [UInt8])
        do { answer = try environment.send(request, Array(body.utf8)) } catch {
            throw .unreachable("\(error)")
        }
        let status = answer.response.status.code
        guard let members = (try? JSON(parsing: answer.body))?.members else {
            let text = "status \(status), and the answer is not a JSON object"
            throw status == success ? .unusable(text) : .unavailable(text)
        }
        let refusal: OAuthErrorResponse?
        let found: Answer?
        do throws(MemberError) {
            refusal = try OAuthErrorResponse(members)
            found = status == success && refusal == nil ? try read(members) : nil
        } catch { throw .unusable("status \(status), and \(error)") }
        if let found { return found }
        guard let refusal else { throw .unavailable("status \(status)") }
        guard (400..<500).contains(status) else {
            let text = "status \(status), \(refusal.summary)"
            throw status == success ? .unusable(text) : .unavailable(text)
        }
        if status == 429 { throw .unavailable("status \(status)") }
        throw .refused(refusal, status: status)
    }
}

extension TokenExchange.Tokens {
    fileprivate init(_ members: JSON.Members) throws(MemberError) {
        accessToken = try members.bearerToken()
        idToken = try members.text("id_token", maximumBytes: 256 << 10)
    }
}

extension JSON.Members {
    /// Reads the access token; only bearer tokens are accepted, because other types need a proof of
    /// possession (RFC 6749, section 7.1; OpenID Connect Core 1.0, section 3.1.3.3).
    fileprivate func bearerToken() throws(MemberError) -> String? {
        guard try text("token_type").lowercased() == "bearer" else {
            throw MemberError("token_type", .wrong(expected: "'Bearer'"))
        }
        let name = "access_token"
        let token = try textIfPresent(name, maximumBytes: 64 << 10)
        // The access token goes into a header field (RFC 6749, appendix A.12).
        guard token?.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) ?? true else {
            throw MemberError(name, .wrong(expected: "a text of visible ASCII characters"))
        }
        return token
    }

    fileprivate func secondsLeft() throws(MemberError) -> Int {
        let name = "expires_in"
        return try required(name, integerIfPresent(name, in: 1...Int(Int32.max)))
    }
}

extension OAuthErrorResponse {
    /// Reads the error of an answer (RFC 6749, section 5.2), or returns `nil` if there is none.
    fileprivate init?(_ members: JSON.Members) throws(MemberError) {
        guard let error = try members.textIfPresent("error") else { return nil }
        self.error = error
        description = try members.explanationIfPresent("error_description") ?? ""
        subcode = try members.explanationIfPresent("suberror")
    }
}

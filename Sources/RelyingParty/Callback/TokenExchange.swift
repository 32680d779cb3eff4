import HTTPTypes
import Jansson
import SiteauthConfiguration

/// Redeems a code at the token endpoint (RFC 6749, section 4.1.3).
struct TokenExchange: Sendable {
    enum Failure: Error, Sendable {
        case refused(OAuthErrorResponse, status: Int)
        case unreachable(String)
        /// The endpoint is temporarily out of order: a 5xx, a 429, or a proxy's error page.
        case unavailable(String)
        /// The endpoint's answer violates the standard.
        case unusable(String)
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
            throw status == 200 ? .unusable(text) : .unavailable(text)
        }
        let refusal: OAuthErrorResponse?
        let tokens: Tokens?
        do throws(MemberError) {
            refusal = try OAuthErrorResponse(members)
            tokens = status == 200 && refusal == nil ? try Tokens(members) : nil
        } catch { throw .unusable("status \(status), and \(error)") }
        if let tokens { return tokens }
        guard let refusal else { throw .unavailable("status \(status)") }
        guard (400..<500).contains(status) else {
            let text = "status \(status), \(refusal.summary)"
            throw status == 200 ? .unusable(text) : .unavailable(text)
        }
        if status == 429 { throw .unavailable("status \(status)") }
        throw .refused(refusal, status: status)
    }
}

extension TokenExchange.Tokens {
    /// Reads the tokens; only bearer tokens are accepted, because other types need a proof of
    /// possession (RFC 6749, section 7.1; OpenID Connect Core 1.0, section 3.1.3.3).
    fileprivate init(_ members: JSON.Members) throws(MemberError) {
        guard try members.text("token_type").lowercased() == "bearer" else {
            throw MemberError("token_type", .wrong(expected: "'Bearer'"))
        }
        idToken = try members.text("id_token", maximumBytes: 256 << 10)
        accessToken = try members.textIfPresent("access_token", maximumBytes: 64 << 10)
        // The access token goes into a header field (RFC 6749, appendix A.12).
        guard accessToken?.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) ?? true else {
            throw MemberError(
                "access_token",
                .wrong(expected: "a text of visible ASCII characters")
            )
        }
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

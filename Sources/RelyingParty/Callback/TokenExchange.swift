import HTTPTypes
import Jansson

/// Redeems a code at the token endpoint (RFC 6749, section 4.1.3).
struct TokenExchange: Sendable {
    enum Failure: Error, Sendable {
        case refused(ProviderRefusal, status: Int)
        case unreachable(String)
    }

    /// What the endpoint gave.
    struct Tokens: Sendable {
        let idToken: String
        /// For Graph, unread; it is used at once or not at all, and kept nowhere.
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
        // Without `Origin`, for Entra refuses client credentials from what looks like a browser.
        var request = HTTPRequest(
            method: .post,
            scheme: endpoint.scheme,
            authority: endpoint.authority,
            path: endpoint.path + endpoint.query,
            headerFields: [
                .accept: "application/json",
                .contentType: "application/x-www-form-urlencoded",
            ]
        )
        if let authorization = proof.authorization {
            request.headerFields[.authorization] = authorization
        }
        let answer: (response: HTTPResponse, body: [UInt8])
        do { answer = try environment.send(request, Array(body.utf8)) } catch {
            throw .unreachable("\(error)")
        }
        let status = answer.response.status.code
        guard let json = try? JSON(parsing: answer.body), json.members != nil else {
            throw .unreachable("it answered \(status) with something that is no JSON object")
        }
        if status == 200 {
            if let token = json["id_token"]?.string {
                return Tokens(idToken: token, accessToken: json["access_token"]?.string)
            }
            throw .unreachable("it answered 200 without an 'id_token'")
        }
        guard let error = json["error"]?.string, (400..<500).contains(status), status != 429 else {
            throw .unreachable("it answered \(status)")
        }
        throw .refused(
            ProviderRefusal(
                error: error,
                description: json["error_description"]?.string ?? "",
                subcode: json["suberror"]?.string
            ),
            status: status
        )
    }
}

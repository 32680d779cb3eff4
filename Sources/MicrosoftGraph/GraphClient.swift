import HTTPTypes
import Jansson
import SiteauthConfiguration

/// Asks Microsoft Graph: in the name of this site, with a token that it gets for itself (RFC 6749,
/// section 4.4), or once in the name of a reader who signs in.
///
/// The token is kept in memory only, sent to ``origin`` only, and never parsed.
package struct GraphClient {
    package struct Token: Sendable {
        let text: String
        let expiresAt: NumericDate

        package init(_ text: String, expiresAt: NumericDate) {
            (self.text, self.expiresAt) = (text, expiresAt)
        }
    }

    package struct Answer {
        let status: Int
        let body: JSON.Members
        let retryAfter: String?
    }

    /// How many questions `$batch` takes (Microsoft, "Combine multiple HTTP requests using JSON
    /// batching").
    package static let batch = 20
    /// Seconds before its end from which on a token is not used.
    private static let margin = 60

    /// Scheme, host and port of Graph.
    package let origin: WebURL
    package private(set) var token: Token?
    /// How many requests may still be sent.
    package private(set) var requestsLeft: Int
    private let send: Send
    private let now: () -> NumericDate
    private let fetchToken: () throws(GraphFailure) -> Token
    private let remedy: String

    package typealias Send = (HTTPRequest, [UInt8]) throws -> (
        response: HTTPResponse, body: [UInt8]
    )

    package init(
        at origin: WebURL,
        _ token: Token?,
        requests: Int,
        send: @escaping Send,
        now: @escaping () -> NumericDate,
        fetchToken: @escaping () throws(GraphFailure) -> Token
    ) {
        (self.origin, self.token, requestsLeft) = (origin, token, requests)
        (self.send, self.now, self.fetchToken) = (send, now, fetchToken)
        remedy =
            "give the registration the application permissions 'User.Read.All' and"
            + " 'GroupMember.Read.All' of Microsoft Graph, with the consent of an administrator"
    }

    /// A client that asks a few things about a reader, with the access token of the sign-in.
    package init(at origin: WebURL, readersToken text: String, send: @escaping Send) {
        (self.origin, token) = (origin, Token(text, expiresAt: .max))
        (self.send, now, requestsLeft) = (send, { 0 }, 4)
        fetchToken = { () throws(GraphFailure) in throw .failed("the access token is worthless") }
        remedy =
            "grant the application the permission 'User.Read', and add 'User.Read' to 'scope'"
    }

    package mutating func get(_ path: String) throws(GraphFailure) -> JSON.Members {
        try accepted(ask(.get, path, nil))
    }

    mutating func post(_ path: String, _ question: JSON) throws(GraphFailure) -> JSON.Members {
        try accepted(ask(.post, path, question))
    }

    /// Asks several questions at once.
    ///
    /// - Parameter paths: behind `/v1.0`, ``batch`` at most.
    /// - Returns: the answers in the order of the questions; each has a status of its own.
    package mutating func answers(to paths: [String]) throws(GraphFailure) -> [Answer] {
        let questions = paths.indices.map { index -> JSON in
            ["id": .string("\(index)"), "method": "GET", "url": .string(paths[index])]
        }
        let body = try post("/v1.0/$batch", ["requests": .array(questions)])
        let found: [String: Answer]
        do throws(MemberError) { found = try Self.answers(in: body) } catch {
            throw .unusable(error)
        }
        var answers: [Answer] = []
        for index in paths.indices {
            guard let answer = found["\(index)"] else {
                throw .failed("Graph has left out the answer to a question")
            }
            answers.append(answer)
        }
        return answers
    }

    private static func answers(in body: JSON.Members) throws(MemberError) -> [String: Answer] {
        var found: [String: Answer] = [:]
        let name = "responses"
        for response in try body.required(name, body.arrayIfPresent(name)) {
            guard let members = response.members else {
                throw MemberError(name, .wrong(expected: "a list of objects"))
            }
            let status = try members.integerIfPresent("status", in: 100...599)
            let fields = try members.objectIfPresent("headers") ?? [:]
            let field = fields.names.first { $0.lowercased() == "retry-after" }
            let answer = Answer(
                status: try members.required("status", status),
                body: try members.objectIfPresent("body") ?? [:],
                retryAfter: try fields.textIfPresent(field ?? "")
            )
            let id = try members.text("id")
            guard found.updateValue(answer, forKey: id) == nil else {
                throw MemberError("id", .wrong(expected: "different for each answer"))
            }
        }
        return found
    }

    /// The body of an answer with the status 200.
    package func accepted(_ answer: Answer) throws(GraphFailure) -> JSON.Members {
        try throwIfThrottled(answer)
        guard answer.status == 200 else {
            throw .refused(
                status: answer.status,
                code: Self.code(in: answer.body),
                remedy: answer.status == 403 ? remedy : nil
            )
        }
        return answer.body
    }

    /// Microsoft's word for an error.
    static func code(in body: JSON.Members) -> String {
        let code = try? body.objectIfPresent("error")?.textIfPresent("code")
        return DisplayText.clean(code ?? "", maximumLength: 64)
    }

    private func throwIfThrottled(_ answer: Answer) throws(GraphFailure) {
        guard [429, 503].contains(answer.status) else { return }
        let now = self.now()
        let seconds = answer.retryAfter.flatMap { text in
            Int(text) ?? HTTPDate.seconds(text).map { $0 - now }
        }
        throw .throttled(status: answer.status, seconds: seconds)
    }

    private mutating func ask(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ question: JSON?
    ) throws(GraphFailure) -> Answer {
        requestsLeft -= 1
        let json = "application/json"
        let token = try currentToken()
        var request = HTTPRequest(
            method,
            origin,
            path: path,
            [.accept: json, .authorization: "Bearer \(token)"]
        )
        if question != nil { request.headerFields[.contentType] = json }
        let answer: (response: HTTPResponse, body: [UInt8])
        do {
            answer = try send(request, question.map { Array($0.text.utf8) } ?? [])
        } catch { throw .failed("Graph cannot be reached: \(error)") }
        let status = answer.response.status.code
        // The next attempt gets another token.
        if status == 401 { self.token = nil }
        let body = (try? JSON(parsing: answer.body))?.members
        guard body != nil || status != 200 else {
            throw .failed("Graph's answer is no JSON object")
        }
        return Answer(
            status: status,
            body: body ?? [:],
            retryAfter: answer.response.headerFields[.retryAfter]
        )
    }

    private mutating func currentToken() throws(GraphFailure) -> String {
        if let token, now() < token.expiresAt - Self.margin { return token.text }
        let token = try fetchToken()
        self.token = token
        return token.text
    }
}

import HTTPTypes
import Jansson
import SiteauthConfiguration

/// Asks Microsoft Graph for a reader's groups, if the reader has more than an ID token holds
/// (Microsoft, "directoryObject: checkMemberGroups" and "getMemberObjects").
///
/// The address in the token's `_claim_sources` is ignored: it belongs to a service that Microsoft
/// has switched off, and a token must not decide where the access token is sent.
struct GraphGroups: Sendable {
    enum Failure: Error, Sendable, CustomStringConvertible {
        /// The permission is missing, or the account has no groups at all.
        case refused(Int)
        case unreachable(String)

        var description: String {
            switch self {
            case .refused(let status):
                "Graph answered \(status); grant the application the permission 'User.Read', and"
                    + " add 'User.Read' to 'scope'"
            case .unreachable(let reason): "Graph cannot be asked: \(reason)"
            }
        }
    }

    /// The number of groups that one request may name.
    private static let batch = 20
    /// From this number of requests on, asking for all groups at once is cheaper.
    private static let maximumBatches = 2

    let environment: Environment
    /// Scheme, host and port of Graph.
    let origin: WebURL
    let accessToken: String

    /// Those of `asked` that the reader is in, directly or through another group.
    func membership(of asked: [String]) throws(Failure) -> Set<String> {
        if asked.count > Self.batch * Self.maximumBatches { return try all(among: asked) }
        var found: Set<String> = []
        var rest = asked[...]
        while !rest.isEmpty {
            let ids = rest.prefix(Self.batch)
            rest = rest.dropFirst(Self.batch)
            do {
                found.formUnion(
                    try ask(
                        "checkMemberGroups",
                        ["groupIds": .array(ids.map(JSON.string))],
                        among: Array(ids)
                    )
                )
            } catch .refused(403) {
                // `getMemberObjects` needs no more than `User.Read`.
                return try all(among: asked)
            }
        }
        return found
    }

    private func all(among asked: [String]) throws(Failure) -> Set<String> {
        try ask("getMemberObjects", ["securityEnabledOnly": false], among: asked)
    }

    private func ask(
        _ function: String,
        _ question: JSON,
        among asked: [String]
    ) throws(Failure) -> Set<String> {
        let request = HTTPRequest(
            .post,
            origin,
            path: "/v1.0/me/\(function)",
            [
                .accept: "application/json", .contentType: "application/json",
                .authorization: "Bearer \(accessToken)",
            ]
        )
        let answer: (response: HTTPResponse, body: [UInt8])
        do { answer = try environment.send(request, Array(question.text.utf8)) } catch {
            throw .unreachable("\(error)")
        }
        let status = answer.response.status.code
        guard status == 200 else {
            let isRefusal = (400..<500).contains(status) && status != 429
            throw isRefusal ? .refused(status) : .unreachable("status \(status)")
        }
        guard let members = (try? JSON(parsing: answer.body))?.members,
            let ids = try? members.textsIfPresent("value"), members["@odata.nextLink"] == nil
        else { throw .unreachable("the answer is not a list of ids") }
        // Groups that were not asked about are dropped.
        return Set(asked).intersection(ids.map { $0.lowercased() })
    }
}

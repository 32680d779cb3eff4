import Jansson

/// A reader's groups, if the reader has more than an ID token holds (Microsoft, "directoryObject:
/// checkMemberGroups" and "getMemberObjects").
///
/// The address in the token's `_claim_sources` is ignored: it belongs to a service that Microsoft
/// has switched off, and a token must not decide where the access token is sent.
extension GraphClient {
    /// The number of groups that one request may name.
    private static let named = 20
    /// From this number of requests on, asking for all groups at once is cheaper.
    private static let maximumBatches = 2

    /// Those of `asked` that the reader is in, directly or through another group.
    package mutating func membership(of asked: [String]) throws(GraphFailure) -> Set<String> {
        if asked.count > Self.named * Self.maximumBatches { return try all(among: asked) }
        var found: Set<String> = []
        for start in stride(from: 0, to: asked.count, by: Self.named) {
            let ids = Array(asked[start..<min(start + Self.named, asked.count)])
            let question: JSON = ["groupIds": .array(ids.map(JSON.string))]
            do throws(GraphFailure) {
                found.formUnion(try ask("checkMemberGroups", question, among: ids))
            } catch .refused(403, _, _) {
                // `getMemberObjects` needs no more than `User.Read`.
                return try all(among: asked)
            }
        }
        return found
    }

    private mutating func all(among asked: [String]) throws(GraphFailure) -> Set<String> {
        try ask("getMemberObjects", ["securityEnabledOnly": false], among: asked)
    }

    private mutating func ask(
        _ function: String,
        _ question: JSON,
        among asked: [String]
    ) throws(GraphFailure) -> Set<String> {
        let body = try post("/v1.0/me/\(function)", question)
        let ids: [String]
        do throws(MemberError) {
            ids = try body.required("value", body.textsIfPresent("value"))
        } catch { throw .unusable(error) }
        guard body["@odata.nextLink"] == nil else { throw .failed("Graph's answer has more pages") }
        // Groups that were not asked about are dropped.
        return Set(asked).intersection(ids.map { $0.lowercased() })
    }
}

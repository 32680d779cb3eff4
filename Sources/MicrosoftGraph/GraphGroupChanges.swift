import Jansson
import SiteauthConfiguration

/// What has changed in groups (Microsoft, "group: delta").
package struct GraphGroupChanges {
    package struct Membership: Hashable, Sendable {
        package let group: String
        /// Somebody or something that the group has gained or lost.
        package let member: String
    }

    package private(set) var memberships: [(Membership, isMember: Bool)] = []
    package private(set) var deletedGroups: [String] = []
    /// The path and query of the next question.
    package let next: String
    /// Whether there are no further changes now.
    package let isLast: Bool

    /// How many groups a filter may name.
    package static let filtered = 50
    private static let path = "/v1.0/groups/delta"

    /// The first question, which Graph answers with the place to go on from.
    package static func start(_ groups: [String]) -> String {
        let filter = groups.map { "id%20eq%20'\($0)'" }.joined(separator: "%20or%20")
        let start = "\(path)?$deltatoken=latest&$select=members"
        return groups.isEmpty ? start : "\(start)&$filter=\(filter)"
    }

    /// - Parameter origin: Graph's own; no other one is asked.
    package init(_ body: JSON.Members, from origin: WebURL) throws(GraphFailure) {
        do throws(MemberError) { try self.init(members: body, from: origin) } catch {
            throw .unusable(error)
        }
    }

    private init(members body: JSON.Members, from origin: WebURL) throws(MemberError) {
        let further = try Self.link("@odata.nextLink", in: body, from: origin)
        let last = try Self.link("@odata.deltaLink", in: body, from: origin)
        guard (further == nil) != (last == nil) else {
            throw MemberError(
                "@odata.deltaLink",
                .wrong(expected: "the only link, or there is none")
            )
        }
        (next, isLast) = (further ?? last ?? "", last != nil)
        for entry in try body.required("value", body.arrayIfPresent("value")) {
            guard let members = entry.members else {
                throw MemberError("value", .wrong(expected: "a list of objects"))
            }
            let group = try members.guid("id")
            if try members.objectIfPresent("@removed") != nil { deletedGroups.append(group) }
            for change in try members.arrayIfPresent("members@delta") ?? [] {
                guard let member = change.members else {
                    throw MemberError("members@delta", .wrong(expected: "a list of objects"))
                }
                let isMember = try member.objectIfPresent("@removed") == nil
                let membership = Membership(group: group, member: try member.guid("id"))
                memberships.append((membership, isMember))
            }
        }
    }

    /// The path and query of a link, which must be one to the same question.
    private static func link(
        _ name: String,
        in body: JSON.Members,
        from origin: WebURL
    ) throws(MemberError) -> String? {
        guard let text = try body.textIfPresent(name, maximumBytes: 16 << 10) else { return nil }
        // The token goes where the link leads.
        let isOurs =
            ["?", "()?"].contains { text.hasPrefix("\(origin.origin)\(path)\($0)") }
            && text.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "#") }
        guard isOurs else {
            throw MemberError(name, .wrong(expected: "a link to the same question"))
        }
        return String(text.dropFirst(origin.origin.count))
    }
}

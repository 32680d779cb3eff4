import Jansson
import SiteauthConfiguration

/// What Graph says about an account (Microsoft, "user resource type").
package struct GraphAccount: Equatable {
    package let isEnabled: Bool
    /// Since when sign-ins count: an administrator has revoked all earlier ones, or the password has
    /// changed.
    package let sessionsValidFrom: NumericDate?

    /// How many ids a filter may name (Microsoft, "Use the $filter query parameter").
    package static let filtered = 15
    private static let selection = "$select=id,accountEnabled,signInSessionsValidFromDateTime"

    /// A question about some accounts, behind `/v1.0`.
    package static func path(_ ids: [String]) -> String {
        let list = ids.map { "'\($0)'" }.joined(separator: ",")
        return "/users?$filter=id%20in%20(\(list))&\(selection)"
    }

    /// A question about an account that the answer to ``path(_:)`` lacks.
    package static func path(_ id: String) -> String { "/users/\(id)?\(selection)" }

    /// A question about any account, behind the host.
    package static let probe = "/v1.0/users?$top=1&\(selection)"

    /// Whether there is no such account any more; nothing else counts as that.
    package static func isDeleted(_ answer: GraphClient.Answer) -> Bool {
        answer.status == 404 && GraphClient.code(in: answer.body) == "Request_ResourceNotFound"
    }

    /// The accounts of an answer, by their ids.
    ///
    /// An answer with a doubt in it says nothing about anybody.
    package static func all(in body: JSON.Members) throws(GraphFailure) -> [String: GraphAccount] {
        do throws(MemberError) { return try accounts(in: body) } catch { throw .unusable(error) }
    }

    /// The account of the answer to ``path(_:)`` for one id.
    package static func one(in body: JSON.Members) throws(GraphFailure) -> GraphAccount {
        do throws(MemberError) { return try GraphAccount(body) } catch { throw .unusable(error) }
    }

    private static func accounts(
        in body: JSON.Members
    ) throws(MemberError) -> [String: GraphAccount] {
        var accounts: [String: GraphAccount] = [:]
        for entry in try body.required("value", body.arrayIfPresent("value")) {
            guard let members = entry.members else {
                throw MemberError("value", .wrong(expected: "a list of objects"))
            }
            let id = try members.guid("id")
            let account = try GraphAccount(members)
            guard accounts.updateValue(account, forKey: id) == nil else {
                throw MemberError("id", .wrong(expected: "different for each account"))
            }
        }
        return accounts
    }

    private init(_ members: JSON.Members) throws(MemberError) {
        isEnabled = try members.required(
            "accountEnabled",
            members.boolIfPresent("accountEnabled")
        )
        let name = "signInSessionsValidFromDateTime"
        let text = try members.displayTextIfPresent(name)
        sessionsValidFrom = text.flatMap(CalendarTime.moment)
        guard text == nil || sessionsValidFrom != nil else {
            throw MemberError(name, .wrong(expected: "a moment in UTC"))
        }
    }
}

extension JSON.Members {
    /// An id of the directory.
    func guid(_ name: String) throws(MemberError) -> String {
        guard let id = DisplayText.guid(try text(name)) else {
            throw MemberError(name, .wrong(expected: "a GUID"))
        }
        return id
    }
}

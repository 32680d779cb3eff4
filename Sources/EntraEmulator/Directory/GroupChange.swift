/// Somebody has joined or left a group.
struct GroupChange: Sendable {
    let group: String
    let user: String
    let isMember: Bool
}

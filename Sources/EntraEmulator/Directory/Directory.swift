/// The tenant that the emulator plays: its people and the applications registered with it.
public struct Directory: Sendable {
    public struct Application: Sendable {
        public var name: String
        public var clientID: String
        public var clientSecret: String
        public var redirectURIs: [String]
        /// Claims that a registration has to ask for: `sid`, `login_hint`, `email`.
        public var optionalClaims: Set<String>
        /// Whether the `groups` claim is sent.
        public var sendsGroups: Bool
        /// Whether only people with a role in the application may sign in.
        public var isAssignmentRequired: Bool
    }

    public struct User: Sendable {
        public var objectID: String
        public var name: String
        /// What people type to sign in; looks like an e-mail address and is none.
        public var userName: String
        public var email: String?
        /// Values of app roles.
        public var roles: [String]
        /// Object ids of groups.
        public var groups: [String]
        public var isDisabled: Bool
    }

    public var tenantID: String
    public var domain: String
    public var name: String
    public var applications: [Application]
    public var users: [User]

    func application(_ clientID: String) -> Application? {
        applications.first { $0.clientID == clientID }
    }

    func user(_ objectID: String) -> User? { users.first { $0.objectID == objectID } }
}

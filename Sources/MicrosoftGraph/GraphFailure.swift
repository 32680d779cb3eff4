import Jansson

/// Why Microsoft Graph has not answered a question; nothing follows from it for a reader.
package enum GraphFailure: Error, Equatable, CustomStringConvertible {
    /// Graph wants to be left alone, for so many seconds if it says so.
    case throttled(status: Int, seconds: Int?)
    case refused(status: Int, code: String)
    case failed(String)
    /// Graph has answered, and this machine cannot keep what follows.
    case unwritable(String)

    package var description: String {
        switch self {
        // Without the seconds, so that the same cause is reported once.
        case .throttled(let status, _): "Graph wants fewer questions, or is busy (\(status))"
        case .refused(let status, let code):
            "Graph answered \(status) '\(code)'" + (status == 403 ? "; \(Self.remedy)" : "")
        case .failed(let reason), .unwritable(let reason): reason
        }
    }

    private static let remedy =
        "give the registration the application permissions 'User.Read.All' and"
        + " 'GroupMember.Read.All' of Microsoft Graph, with the consent of an administrator"

    package static func unusable(_ error: MemberError) -> GraphFailure {
        .failed("Graph's answer cannot be used: \(error)")
    }
}

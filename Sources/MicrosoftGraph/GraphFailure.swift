import Jansson

/// Why Microsoft Graph has not answered a question; nothing follows from it for a reader.
package enum GraphFailure: Error, Equatable, CustomStringConvertible {
    /// Graph wants to be left alone, for so many seconds if it says so.
    case throttled(status: Int, seconds: Int?)
    /// - Parameter remedy: the permissions that may be missing.
    case refused(status: Int, code: String, remedy: String?)
    case failed(String)
    /// Graph has answered, and this machine cannot keep what follows.
    case unwritable(String)

    /// Whether Graph answers so because of the question or who asks, and would so again.
    package var isRefusal: Bool {
        if case .refused(400..<500, _, _) = self { return true }
        return false
    }

    package var description: String {
        switch self {
        // Without the seconds, so that the same cause is reported once.
        case .throttled(let status, _): "Graph wants fewer questions, or is busy (\(status))"
        case .refused(let status, let code, let remedy):
            "Graph answered \(status) '\(code)'" + (remedy.map { "; \($0)" } ?? "")
        case .failed(let reason), .unwritable(let reason): reason
        }
    }

    package static func unusable(_ error: MemberError) -> GraphFailure {
        .failed("Graph's answer cannot be used: \(error)")
    }
}

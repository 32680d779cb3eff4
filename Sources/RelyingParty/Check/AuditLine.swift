import Access
import Jansson
import SiteauthConfiguration

/// One line of the audit: who opened what when, and nothing else about the reader.
///
/// Strangers leave no line: it would name nobody, and anybody could fill the disk.
struct AuditLine: Sendable {
    /// A JSON object of ASCII characters, so that no byte of a path moves a terminal's cursor.
    let text: String

    /// The greatest length of a path in characters; only an application has longer ones.
    static let maximumPathLength = 1024

    init(
        _ admission: Admission,
        to path: String,
        of session: Session,
        _ question: CheckQuestion,
        at now: NumericDate
    ) {
        let outcome =
            switch admission {
            case .admitted: "allowed"
            case .unconfirmed: "unconfirmed"
            case .refused: "refused"
            }
        let release = question.release?.split(separator: "/").last
        let line: JSON.Members = [
            "time": .integer(now),
            "timestamp": .string(CalendarTime.timestamp(milliseconds: now * 1000)),
            "event": "audit",
            "outcome": .string(outcome),
            "user": .string(session.objectID),
            "tenant": .string(session.tenantID),
            "path": .string(Self.cut(path, Self.maximumPathLength)),
            "release": release.map { .string(String($0)) } ?? .null,
            "address": question.address.map { .string(Self.cut($0, 64)) } ?? .null,
            "method": .string(Self.cut(question.fetch.method, 16)),
            // Search reads passages of pages that nobody has opened.
            "navigation": .bool(question.fetch.isForPage),
            "prefetch": .bool(question.fetch.isPrefetch),
        ]
        text = JSON.object(line).asciiText + "\n"
    }

    private static func cut(_ text: String, _ length: Int) -> String {
        guard text.utf8.count > length else { return text }
        return String(String.UnicodeScalarView(text.unicodeScalars.prefix(length))) + "…"
    }
}

import ArgumentParser
import Jansson
import Logging
import POSIX
import RelyingParty
import SiteauthConfiguration

/// The format of log lines.
enum LogFormat: String, ExpressibleByArgument, Sendable { case text, json }

/// Writes each event as one line to standard error, where journald adds the time.
struct LineLogHandler: LogHandler {
    var logLevel = Logger.Level.notice
    var metadata: Logger.Metadata = [:]
    private let format: LogFormat

    init(_ format: LogFormat) { self.format = format }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let text = "\(event.message)"
        let request = event.metadata?["request"].map { "\($0)" }
        let priority: StandardError.Priority =
            event.level >= .error ? .error : event.level == .warning ? .warning : .notice
        switch format {
        case .text:
            let severity = event.level >= .warning ? "\(event.level): " : ""
            let number = request.map { "request \($0): " } ?? ""
            StandardError.write("siteauth: \(severity)\(number)\(text)\n", priority)
        case .json:
            let nanoseconds = Host.nanoseconds
            var line: JSON.Members = [
                "time": .integer(nanoseconds / 1_000_000_000),
                "timestamp": .string(
                    CalendarTime.timestamp(milliseconds: nanoseconds / 1_000_000)
                ),
                "level": .string("\(event.level)"),
                "event": .string(event.metadata?["event"].map { "\($0)" } ?? "problem"),
            ]
            for name in Self.optionalFields { line[name] = Self.json(event.metadata?[name]) }
            line["message"] = .string(text)
            StandardError.write(JSON.object(line).text + "\n", priority)
        }
    }

    /// The fields that are `null` where an event has none.
    private static let optionalFields = ["request", "address", "path", "user", "tenant", "groups"]

    private static func json(_ value: Logger.MetadataValue?) -> JSON {
        switch value {
        case .none: .null
        case .array(let values): .array(values.map { json($0) })
        case .some(let value): .string("\(value)")
        }
    }
}

extension Logger {
    func log(_ event: Event, of request: Request? = nil) {
        let level: Level =
            switch event.level {
            case .notice: .notice
            case .warning: .warning
            case .error: .error
            }
        var metadata: Metadata = ["event": .string(event.kind.rawValue)]
        func add(_ name: String, _ value: String?) {
            if let value { metadata[name] = .string(value) }
        }
        add("request", request?.reference)
        add("address", request?.clientAddress)
        add("path", event.subject.path)
        add("user", event.subject.user)
        add("tenant", event.subject.tenant)
        if let groups = event.subject.groups {
            metadata["groups"] = .array(groups.map { .string($0) })
        }
        log(level: level, "\(event.text)", metadata: metadata)
    }
}

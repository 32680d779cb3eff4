import ArgumentParser
import Jansson
import Logging
import POSIX
import RelyingParty

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
            let line: JSON = [
                "time": .integer(Host.time), "level": .string("\(event.level)"),
                "event": .string(event.metadata?["event"].map { "\($0)" } ?? "problem"),
                "request": request.map { .string($0) } ?? .null, "message": .string(text),
            ]
            StandardError.write(line.text + "\n", priority)
        }
    }
}

extension Logger {
    /// - Parameter reference: the reference number of the event's request.
    func log(_ event: Event, reference: String? = nil) {
        let level: Level =
            switch event.level {
            case .notice: .notice
            case .warning: .warning
            case .error: .error
            }
        var metadata: Metadata = ["event": .string(event.kind.rawValue)]
        if let reference { metadata["request"] = .string(reference) }
        log(level: level, "\(event.text)", metadata: metadata)
    }
}

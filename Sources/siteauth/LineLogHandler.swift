import ArgumentParser
import Jansson
import Logging
import POSIX

/// How log lines look.
enum LogFormat: String, ExpressibleByArgument, Sendable { case text, json }

/// Writes one line an event to standard error, where journald adds the time.
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
        switch format {
        case .text:
            let severity = event.level >= .warning ? "\(event.level): " : ""
            StandardError.write("siteauth: \(severity)\(text)\n")
        case .json:
            let line: JSON = [
                "time": .integer(Host.time), "level": .string("\(event.level)"),
                "message": .string(text),
            ]
            StandardError.write(line.text + "\n")
        }
    }
}

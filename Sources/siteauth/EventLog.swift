import Logging
import RelyingParty

/// Logs and counts the events that belong to no request.
struct EventLog: Sendable {
    let logger: Logger
    let metrics: Metrics

    func report(_ event: Event) {
        metrics.count(event)
        logger.log(event)
    }

    func report(_ level: Event.Level, _ text: String, as kind: Event.Kind = .problem) {
        report(Event(level: level, text: text, kind: kind))
    }
}

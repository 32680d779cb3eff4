import Diagnostics
import POSIX
import RelyingParty
import SiteauthConfiguration
import Synchronization

/// The current relying party; a changed configuration replaces it.
///
/// Requests that are already running finish with the instance that they started with.
final class LiveConfiguration: Sendable {
    private let file: ConfigurationFile
    private let log: EventLog
    private let make: @Sendable (AuthConfiguration, _ former: RelyingParty?) -> RelyingParty
    private let active: Mutex<RelyingParty>
    /// The file's status when it was last read.
    private let status: Mutex<FileStatus?>

    init(
        _ configuration: AuthConfiguration,
        from file: ConfigurationFile,
        log: EventLog,
        make: @escaping @Sendable (AuthConfiguration, _ former: RelyingParty?) -> RelyingParty
    ) {
        self.file = file
        self.log = log
        self.make = make
        active = Mutex(make(configuration, nil))
        status = Mutex(file.status)
    }

    var relyingParty: RelyingParty { active.withLock { $0 } }

    /// Reads the file again if it has changed.
    ///
    /// - Parameter before: the file's status a moment ago. A file that is still changing is left
    ///   alone, because somebody may be writing it.
    /// - Returns: the file's present status.
    func reloadIfChanged(since before: FileStatus?) -> FileStatus? {
        let now = file.status
        if now == before, now != status.withLock(\.self) { reload() }
        return now
    }

    /// Reads the file again; a file with errors changes nothing.
    func reload() {
        status.withLock { $0 = file.status }
        let (configuration, diagnostics) = file.load()
        for diagnostic in diagnostics {
            let level: Event.Level = diagnostic.severity == .error ? .error : .warning
            for line in diagnostic.text(program: "environment").split(separator: "\n") {
                log.report(level, "\(line)", as: .reload)
            }
        }
        guard let configuration else {
            let text = "the new configuration has mistakes; the old one stays in use"
            return log.report(.error, text, as: .reload)
        }
        let former = active.withLock { active in
            let former = active
            active = make(configuration, former)
            return former.configuration
        }
        let fixed = AuthConfiguration.variables.filter { Host.environment[$0]?.isEmpty == false }
        var text =
            fixed.isEmpty
            ? "" : "; \(fixed.joined(separator: ", ")) of the environment stay until a restart"
        // Until a restart, the list of ended sessions stays where it is. In Redis its entries have
        // the name of the site.
        if configuration.session.redis != former.session.redis {
            text += "; 'redis' takes effect after a restart"
        } else if configuration.session.redis != nil, configuration.origin != former.origin {
            text += "; ended sessions are shared under the new name after a restart"
        }
        log.report(.notice, "configuration read again\(text)", as: .reload)
    }
}

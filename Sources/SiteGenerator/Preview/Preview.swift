import Diagnostics
import HTTPTypes
import Rules
import Site
import Synchronization

/// A preview: reads the site when it is told to, and renders the pages that are asked for.
///
/// The last site that may be shown is served until there is a better one.
public final class Preview: Sendable {
    private struct Inside {
        var state: PreviewState
        /// The site as it was read last, whether it may be shown or not.
        var newest: PreviewSite?
        var listeners: [Int: AsyncStream<[UInt8]>.Continuation] = [:]
        var lastListener = 0

        /// Sends the state to every listener.
        func tell() {
            for listener in listeners.values { listener.yield(state.event) }
        }
    }

    private let responder: PreviewResponder
    private let configurationPath: String?
    private let inside: Mutex<Inside>

    /// - Parameters:
    ///   - key: what a browser must have, if other machines can reach the preview.
    ///   - run: a number that distinguishes this run of the program from earlier ones.
    public init(
        configurationPath: String?,
        as reader: Viewer,
        key: PreviewKey? = nil,
        run: UInt64
    ) {
        responder = PreviewResponder(reader: reader, key: key)
        self.configurationPath = configurationPath
        inside = Mutex(Inside(state: PreviewState(run: run)))
    }

    public func respond(to request: HTTPRequest) async -> PreviewAnswer {
        var attempts = 40
        while true {
            let (state, isNewest) = inside.withLock { ($0.state, $0.newest === $0.state.site) }
            attempts -= 1
            do {
                return try await responder.respond(
                    to: request,
                    state,
                    waits: isNewest && attempts > 0
                )
            } catch {
                // The page was saved a moment ago, and the site is about to be read.
                try? await Task.sleep(for: .milliseconds(50))
            }
        }
    }

    /// What is known of the site after ``read(_:)``.
    public struct Reading: Sendable {
        fileprivate let site: PreviewSite?
        fileprivate let diagnostics: [Diagnostic]
        /// Whether pages show the site.
        public let isShown: Bool
    }

    /// Reads what has changed, and shows the site if who may read it is beyond doubt.
    ///
    /// ``check(_:)`` has the findings.
    public func read(_ options: BuildOptions) async -> Reading {
        var options = options
        // git is slow on a long history, and a preview does not need the dates of changes.
        options.asksGit = false
        let (folders, diagnostics) = SiteFolders.find(configurationPath, options)
        guard let folders else { return refused(diagnostics.named(.configuration)) }
        let known = inside.withLock { $0.newest?.loaded }
        let read = await SiteBuild.withLimits(options) {
            PreviewSite(await LoadedSite(folders, options, after: known))
        }
        guard let site = read else { return refused(SiteBuild.tooFewFiles.diagnostics) }
        let isShown = site.loaded.isSound
        inside.withLock { inside in
            inside.newest = site
            if isShown { inside.state.show(site) }
            inside.tell()
        }
        return Reading(site: site, diagnostics: [], isShown: isShown)
    }

    private func refused(_ diagnostics: [Diagnostic]) -> Reading {
        inside.withLock { $0.newest = nil }
        return Reading(site: nil, diagnostics: diagnostics, isShown: false)
    }

    /// All findings of a site.
    public func check(_ reading: Reading) async -> BuildOutcome {
        await reading.site?.loaded.check()
            ?? BuildOutcome(diagnostics: reading.diagnostics.sorted())
    }

    /// Whether nothing was read since.
    public func isNewest(_ reading: Reading) -> Bool {
        inside.withLock { $0.newest === reading.site }
    }

    /// Shows the errors of a site on open pages, unless a newer one has been read.
    ///
    /// - Parameter errors: the findings as text if there is an error; otherwise empty.
    public func tell(_ errors: String, of reading: Reading) {
        guard isNewest(reading) else { return }
        inside.withLock { inside in
            inside.state.tell(errors, isShown: reading.isShown)
            inside.tell()
        }
    }

    /// The state at once, and then each time that it changes.
    public func events() -> AsyncStream<[UInt8]> {
        // A slow listener needs only the newest state.
        let (stream, listener) = AsyncStream<[UInt8]>.makeStream(
            bufferingPolicy: .bufferingNewest(1)
        )
        let number = inside.withLock { inside in
            inside.lastListener += 1
            inside.listeners[inside.lastListener] = listener
            listener.yield(inside.state.event)
            return inside.lastListener
        }
        listener.onTermination = { [weak self] _ in
            self?.inside.withLock { inside in inside.listeners[number] = nil }
        }
        return stream
    }

    /// Sends the state to every listener once more: closed connections are detected by writing to
    /// them.
    public func keepAlive() {
        inside.withLock { $0.tell() }
    }
}

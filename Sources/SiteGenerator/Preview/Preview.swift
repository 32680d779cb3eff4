import HTTPTypes
import POSIX
import Synchronization

/// A site that is built whenever its sources change, and looked at meanwhile.
///
/// The last good build stays what is shown until there is a better one.
public final class Preview: Sendable {
    private struct Inside {
        var state: PreviewState
        var listeners: [Int: AsyncStream<[UInt8]>.Continuation] = [:]
        var lastListener = 0
    }

    private let responder: PreviewResponder
    private let configurationPath: String?
    private let output: String
    private let inside: Mutex<Inside>

    /// - Parameters:
    ///   - output: a folder for releases that nobody else writes to or looks into.
    ///   - run: tells this run of the program from those before it.
    public init(
        configurationPath: String?,
        as reader: PreviewReader,
        output: String,
        run: UInt64
    ) {
        responder = PreviewResponder(reader: reader)
        self.configurationPath = configurationPath
        self.output = output
        inside = Mutex(Inside(state: PreviewState(run: run)))
    }

    /// Whether there is a good build to look at.
    public var hasRelease: Bool { inside.withLock { $0.state.release != nil } }

    public func respond(to request: HTTPRequest) -> PreviewAnswer {
        responder.respond(to: request, inside.withLock(\.state))
    }

    /// Builds the site once; ``show(_:errors:)`` makes it visible.
    public func build(_ options: BuildOptions) async -> SiteBuild.Outcome {
        var options = options
        options.output = output
        // git takes its time on a long history, and for a preview the days of changes do not matter.
        options.asksGit = false
        options.compresses = false
        options.syncs = false
        return await SiteBuild.run(configurationPath: configurationPath, options)
    }

    /// Shows what was built, or what is wrong with it.
    ///
    /// - Parameter errors: the findings as text.
    public func show(_ outcome: SiteBuild.Outcome, errors: String) {
        let release = outcome.release.flatMap { PreviewRelease($0, in: output) }
        inside.withLock { inside in
            let lost = outcome.release != nil && release == nil
            let text = lost ? "sitegen: error: the release that was built cannot be read\n" : errors
            inside.state.finish(release, errors: outcome.hasErrors || lost ? text : "")
            let event = inside.state.event
            for listener in inside.listeners.values { listener.yield(event) }
        }
    }

    /// The state at once, and then each time that it changes.
    public func events() -> AsyncStream<[UInt8]> {
        // Whoever is slow needs the newest state alone.
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

    /// Tells every listener the state once more: a connection that nobody reads any more is found
    /// by writing to it.
    public func keepAlive() {
        inside.withLock { inside in
            for listener in inside.listeners.values { listener.yield(inside.state.event) }
        }
    }
}

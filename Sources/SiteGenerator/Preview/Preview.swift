import HTTPTypes
import POSIX
import Synchronization

/// A preview: builds the site whenever its sources change, and serves it.
///
/// The last good build is served until there is a better one.
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
    ///   - key: what a browser must have, if other machines can reach the preview.
    ///   - output: a folder for releases that no other process uses.
    ///   - run: a number that distinguishes this run of the program from earlier ones.
    public init(
        configurationPath: String?,
        as reader: PreviewReader,
        key: PreviewKey? = nil,
        output: String,
        run: UInt64
    ) {
        responder = PreviewResponder(reader: reader, key: key)
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
        // git is slow on a long history, and a preview does not need the dates of changes.
        options.asksGit = false
        options.compresses = false
        options.syncs = false
        options.isForServer = false
        return await SiteBuild.run(configurationPath: configurationPath, options)
    }

    /// Publishes the result of a build to open pages: the new release, or the errors.
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
        inside.withLock { inside in
            for listener in inside.listeners.values { listener.yield(inside.state.event) }
        }
    }
}

import ArgumentParser
import Loopback
import POSIX
import Site
import SiteGenerator

struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Preview the site in a browser while you write it.",
        discussion: """
            Open pages reload whenever a page, a template or sitegen.toml is saved, and show the \
            errors of the site. While one of them leaves in doubt who may read what, pages show the \
            site before the last change. Nothing is published. Ctrl-C ends the preview.

            Without --as you see all pages. The preview listens on this machine only, but \
            everybody who can run programs on this machine can read it. In a container, \
            '--host 0.0.0.0' listens on all addresses; the preview then answers only a browser that \
            has opened the printed URL, which contains a key.

            EXAMPLES:
              sitegen serve --open
              sitegen serve --drafts --future
              sitegen serve --as hr,board
              sitegen serve --as public --port 8090
            """
    )

    @OptionGroup var site: SiteOptions

    @Option(
        name: .shortAndLong,
        parsing: .unconditional,
        help: "Listen on this port; 0 chooses a free one."
    )
    var port = 8000

    @Option(help: "Listen on this address: 127.0.0.1, ::1, localhost, or 0.0.0.0 in a container.")
    var host = "127.0.0.1"

    @Flag(help: "Open the home page in a browser.")
    var open = false

    @Option(
        name: .customLong("as"),
        help: "Show the site as this reader sees it: groups, 'signed-in' or 'public'."
    )
    var reader: String?

    func validate() throws {
        guard UInt16(exactly: port) != nil else {
            throw ValidationError("'--port' is \(port); it must be from 0 to 65535")
        }
    }

    func run() async throws {
        // A closed terminal must not end the program before the folder is removed.
        Signals.ignoreBrokenPipes()
        do {
            try await serve()
        } catch let error as ExitCode {
            throw error
        } catch {
            throw ExitCode.reporting(error)
        }
    }

    private func serve() async throws {
        let isOpen = host == "0.0.0.0"
        guard let addresses = isOpen ? [LoopbackAddress.everywhere] : LoopbackAddress.all(host)
        else {
            StandardError.write(
                "sitegen: error: '--host' is '\(host)'; it must be '127.0.0.1', '::1' or "
                    + "'localhost', because a preview shows confidential pages, or '0.0.0.0' "
                    + "in a container\n"
            )
            throw ExitCode.contentErrors
        }
        let key = isOpen ? PreviewKey() : nil
        let options = site.buildOptions(BuildProgress())
        if let problem = PreviewSource.problem(configurationPath: site.config, options) {
            throw problem
        }
        let groups = PreviewGroups.names(configurationPath: site.config, options)
        let preview = Preview(
            configurationPath: site.config,
            as: try reader.map { words in try Viewer(words, groups: groups) } ?? .everything,
            key: key,
            run: Host.uptimeNanoseconds
        )
        let (ends, end) = AsyncStream<Result<Void, any Error>>.makeStream()
        Task {
            do { end.yield(.success(_ = try await Signals.next(of: Self.signals))) } catch {
                end.yield(.failure(error))
            }
        }
        try listen(preview, addresses, key)
        let building = Task {
            do {
                let changes = SourceWatcher.changes(configurationPath: site.config, options)
                var checking: Task<Void, any Error>?
                for try await _ in changes {
                    let reading = await preview.read(site.buildOptions(BuildProgress()))
                    // Beside the next reading, but not beside another check, and not before the
                    // browser has what its author waits for.
                    checking = Task { [checking] in
                        let isFirst = checking == nil
                        try await checking?.value
                        if !isFirst { try await Task.sleep(for: Self.headStart) }
                        try await check(reading, preview)
                    }
                }
                try await checking?.value
                end.yield(.success(()))
            } catch { end.yield(.failure(error)) }
        }
        Task {
            while true {
                try await Task.sleep(for: .seconds(15))
                preview.keepAlive()
            }
        }
        var iterator = ends.makeAsyncIterator()
        let first = await iterator.next()
        // A running check may finish, if that takes at most three seconds.
        building.cancel()
        Task {
            try await Task.sleep(for: .seconds(3))
            end.yield(.success(()))
        }
        if case .success = first { _ = await iterator.next() }
        try first?.get()
    }

    /// What the browser gets before all cores check the site.
    private static let headStart = Duration.milliseconds(150)
    /// Signals of the terminal, and of a program that started this one.
    private static let signals = [Signals.interrupt, Signals.terminate, Signals.hangUp]

    private func listen(
        _ preview: Preview,
        _ addresses: [LoopbackAddress],
        _ key: PreviewKey?
    ) throws {
        do throws(SystemError) {
            let port = try LoopbackServer.start(
                at: addresses,
                port: UInt16(exactly: port) ?? 0,
                maximumBodyBytes: 0
            ) { request, _ in
                await preview.answer(request)
            }
            let name = key != nil ? "127.0.0.1" : host.contains(":") ? "[\(host)]" : host
            let url = "http://\(name):\(port)/\(key.map { "?key=\($0.text)" } ?? "")"
            StandardError.write("sitegen: preview at \(url); Ctrl-C ends it\n")
            if open { Task { await Browser.open(url) } }
        } catch {
            guard error.isAddressInUse || error.isPermissionDenied else { throw error }
            let reason = error.isAddressInUse ? "is in use" : "needs root"
            StandardError.write(
                "sitegen: error: port \(port) \(reason); '--port' sets another one\n"
            )
            throw ExitCode.inputOutput
        }
    }

    private func check(_ reading: Preview.Reading, _ preview: Preview) async throws {
        guard preview.isNewest(reading) else { return }
        let purpose = SummaryLine.Purpose.preview(isShown: reading.isShown)
        let (outcome, text) = try await Console(options: site, purpose: purpose).tell { _ in
            await preview.check(reading)
        }
        preview.tell(outcome.hasErrors ? text : "", of: reading)
    }
}

import ArgumentParser
import Loopback
import POSIX
import SiteGenerator

struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Shows the site in a browser while you write it.",
        discussion: """
            The site is built whenever a page, a template or 'sitegen.toml' is saved, and open \
            pages load themselves anew. Where there are errors, pages show them above the last \
            good build. Nothing is written to the folder of releases. Ctrl-C ends it.

            Without --as you see all pages. The preview listens on this machine alone, but \
            everybody who can run programs on it can ask for them.

            EXAMPLES:
              sitegen serve --open
              sitegen serve --drafts --future
              sitegen serve --as hr,board
              sitegen serve --as public --port 8090
            """
    )

    @OptionGroup var site: SiteOptions

    @Option(name: .shortAndLong, help: "The port; 0 for any that is free.")
    var port: UInt16 = 8000

    @Option(help: "An address of this machine: 127.0.0.1, ::1 or localhost.")
    var host = "127.0.0.1"

    @Flag(help: "Open the first page in a browser.")
    var open = false

    @Option(
        name: .customLong("as"),
        help: "Show what this reader may see: groups, 'signed-in' or 'public'."
    )
    var reader: String?

    func validate() throws {
        if site.writeBaseline {
            throw ValidationError("'--write-baseline' belongs to 'build' and 'check'")
        }
    }

    func run() async throws {
        // A terminal that went away must not end us before the folder is removed.
        Signals.ignoreBrokenPipes()
        do {
            let folder = try Folder.createPrivate("\(Self.temporaryFolder)/sitegen-preview-")
            // A build that is still running may write while its folder is removed.
            defer { if (try? Folder.remove(folder)) == nil { try? Folder.remove(folder) } }
            try await serve(from: folder)
        } catch let error as ExitCode {
            throw error
        } catch {
            let refusal = error as? CommandError
            StandardError.write("sitegen: error: \(refusal?.message ?? "\(error)")\n")
            throw refusal?.isDisk == false ? ExitCode.contentErrors : .inputOutput
        }
    }

    private func serve(from folder: String) async throws {
        guard let addresses = LoopbackAddress.all(host) else {
            StandardError.write(
                "sitegen: error: '--host' is '\(host)'; a preview shows confidential pages and "
                    + "listens on this machine alone: '127.0.0.1', '::1' or 'localhost'\n"
            )
            throw ExitCode.contentErrors
        }
        let options = site.buildOptions(BuildProgress())
        let groups = PreviewGroups.names(configurationPath: site.config, options)
        let preview = Preview(
            configurationPath: site.config,
            as: try reader.map { words in try PreviewReader(words, groups: groups) } ?? .everything,
            output: folder,
            run: Host.uptimeNanoseconds
        )
        let (ends, end) = AsyncStream<Result<Void, any Error>>.makeStream()
        Task {
            do { end.yield(.success(_ = try await Signals.next(of: Self.signals))) } catch {
                end.yield(.failure(error))
            }
        }
        try await listen(preview, addresses)
        let building = Task {
            do {
                let changes = SourceWatcher.changes(configurationPath: site.config, options)
                for try await _ in changes { try await build(preview) }
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
        // A build that runs is let end, if that does not take long.
        building.cancel()
        Task {
            try await Task.sleep(for: .seconds(3))
            end.yield(.success(()))
        }
        if case .success = first { _ = await iterator.next() }
        try first?.get()
    }

    /// The terminal's own, and those of whoever started us.
    private static let signals = [Signals.interrupt, Signals.terminate, Signals.hangUp]

    private static var temporaryFolder: String {
        let named = Host.environment["TMPDIR", default: ""]
        return named.isEmpty ? "/tmp" : named
    }

    private func listen(_ preview: Preview, _ addresses: [LoopbackAddress]) async throws {
        do {
            let port = try await LoopbackServer.start(
                at: addresses,
                port: port,
                handler: PreviewServer(preview: preview)
            )
            let url = "http://\(host.contains(":") ? "[\(host)]" : host):\(port)/"
            StandardError.write("sitegen: preview at \(url); Ctrl-C ends it\n")
            if open { Task { await Browser.open(url) } }
        } catch  where LoopbackServer.isInUse(error) {
            StandardError.write(
                "sitegen: error: port \(port) is in use; '--port' names another one\n"
            )
            throw ExitCode.inputOutput
        }
    }

    private func build(_ preview: Preview) async throws {
        let purpose = SummaryLine.Purpose.preview(hasEarlierBuild: preview.hasRelease)
        let console = Console(options: site, purpose: purpose)
        let (outcome, text) = try await console.tell { progress in
            await preview.build(site.buildOptions(progress))
        }
        preview.show(outcome, errors: text)
    }
}

import ArgumentParser
import Diagnostics
import EntraEmulator
import Loopback
import OpenSSL
import POSIX

struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Answers browsers and applications until Ctrl-C.",
        discussion: """
            It listens on this machine alone, for it signs anybody in as anybody. Point an \
            application at 'http://localhost:8081/<tenant>' as its authority; the page at \
            http://localhost:8081 lists them. At the administration port, tests and people switch \
            faults, move the clock, change keys, and programs find managed identities.

            EXAMPLES:
              entra-emulator
              entra-emulator serve --tenants tenants.toml
              entra-emulator serve --base-url https://localhost:8443   (behind a TLS proxy)
            """
    )

    @Option(name: .shortAndLong, help: "The port; 0 for any that is free.")
    var port: UInt16 = 8081

    @Option(help: "The port of the administration; 0 for any that is free.")
    var adminPort: UInt16 = 8082

    @Option(help: "An address of this machine: 127.0.0.1, ::1, or localhost for both.")
    var host = "localhost"

    @Option(help: "Where browsers and applications find it, if a proxy stands in between.")
    var baseURL: String?

    @Option(help: "A file with tenants, instead of the built-in one; 'init' prints that.")
    var tenants: String?

    func run() async throws {
        Signals.ignoreBrokenPipes()
        do {
            try await serve()
        } catch let error as SystemError {
            StandardError.write("entra-emulator: error: \(error)\n")
            throw ExitCode.failure
        }
    }

    private func serve() async throws {
        let directory = try directory()
        guard let addresses = LoopbackAddress.all(host) else {
            let reason = "it signs anybody in as anybody, so it listens on this machine only"
            throw refusal("'\(host)' is no loopback address; \(reason)")
        }
        if let baseURL, Origin(baseURL) == nil {
            let reason = "it signs anybody in as anybody, so it serves this machine only"
            throw refusal("'\(baseURL)' is no loopback address; \(reason)")
        }
        let keys = try await SigningKeys(concurrentlyFor: directory)
        let front = Listener()
        let back = Listener()
        let port = try await listen(front, addresses, self.port)
        let adminPort = try await listen(back, addresses, self.adminPort)
        guard let base = Origin(baseURL ?? "http://localhost:\(port)"),
            let administration = Origin("http://localhost:\(adminPort)")
        else { throw ExitCode.failure }
        let emulator = Emulator(
            directory,
            base: base,
            keys: keys,
            now: { Host.time },
            random: { RandomBytes.next($0) }
        )
        front.answer { emulator.respond(to: $0) }
        let administrationPages = Administration(emulator, at: administration)
        back.answer { administrationPages.respond(to: $0) }
        StandardError.write("entra-emulator: ready at \(base.text)\n")
        StandardError.write("entra-emulator: administration at \(administration.text)\n")
        _ = try await Signals.next(of: [Signals.terminate, Signals.interrupt])
        Host.exit(0)
    }

    private func directory() throws -> Directory {
        let path = tenants ?? "built-in"
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
        let bytes = try tenants.map { try File.read($0) } ?? Array(Directory.builtIn.utf8)
        let parsed = Directory.parse(bytes, path: path) { name in
            try? File.read(name.hasPrefix("/") ? name : folder + name)
        }
        for diagnostic in parsed.diagnostics {
            StandardError.write(diagnostic.text(program: "entra-emulator"))
        }
        guard let directory = parsed.directory else { throw ExitCode.failure }
        return directory
    }

    private func listen(
        _ listener: Listener,
        _ addresses: [LoopbackAddress],
        _ port: UInt16
    ) async throws -> UInt16 {
        do {
            return try await listener.start(at: addresses, port: port)
        } catch {
            guard LoopbackServer.isInUse(error) else { throw refusal("port \(port): \(error)") }
            throw refusal("port \(port) is in use; '--port' and '--admin-port' choose others")
        }
    }

    /// Writes a line and stands for exit code 1.
    private func refusal(_ line: String) -> ExitCode {
        StandardError.write("entra-emulator: error: \(line)\n")
        return .failure
    }
}

import ArgumentParser
import Diagnostics
import EntraEmulator
import OpenSSL
import POSIX

struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Answer browsers and applications until Ctrl-C.",
        discussion: """
            The emulator lets anybody sign in as anybody, so it listens on this machine only. Use \
            'http://localhost:8081/<tenant>' as the authority of your application; the page \
            http://localhost:8081 lists the authorities. At the administration port you switch \
            faults, move the clock and change keys, and programs get tokens of managed identities.

            EXAMPLES:
              entra-emulator
              entra-emulator serve --tenants tenants.toml
              entra-emulator serve --base-url https://localhost:8443   (behind a TLS proxy)
            """
    )

    @Option(name: .shortAndLong, help: "The port; 0 for any free port.")
    var port: UInt16 = 8081

    @Option(help: "The port of the administration; 0 for any free port.")
    var adminPort: UInt16 = 8082

    @Option(help: "The loopback address to listen on: 127.0.0.1, ::1, or localhost for both.")
    var host = "localhost"

    @Option(help: "The URL that browsers and applications use, if it is a proxy's.")
    var baseURL: String?

    @Option(help: "A tenants file to use instead of the built-in one, which 'init' prints.")
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
            let reason = "the emulator signs anybody in, so it listens on this machine only"
            throw refusal("'--host' is '\(host)', which is not a loopback address; \(reason)")
        }
        if port == adminPort, port != 0 {
            throw refusal("'--port' and '--admin-port' are both \(port)")
        }
        if let baseURL, !baseURL.contains("://") {
            let isHost = Origin("http://\(baseURL)") != nil
            let example = "http://\(isHost ? baseURL : "localhost:\(port)")"
            throw refusal("'--base-url' is '\(baseURL)'; it must be a URL such as '\(example)'")
        }
        if let baseURL, Origin(baseURL) == nil {
            let reason = "the emulator signs anybody in, so it serves this machine only"
            throw refusal("'--base-url' is '\(baseURL)', which is not on this machine; \(reason)")
        }
        let keys = try await SigningKeys(concurrentlyFor: directory)
        let front = Listener()
        let back = Listener()
        let port = try listen(front, addresses, self.port, "--port")
        let adminPort = try listen(back, addresses, self.adminPort, "--admin-port")
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
        let bytes = try bytes()
        let parsed = Directory.parse(bytes, path: path) { name in
            try? File.read(name.hasPrefix("/") ? name : folder + name)
        }
        for diagnostic in parsed.diagnostics {
            StandardError.write(diagnostic.text(program: "entra-emulator"))
        }
        guard let directory = parsed.directory else { throw ExitCode.failure }
        return directory
    }

    /// The tenants file.
    private func bytes() throws -> [UInt8] {
        guard let tenants else { return Array(Directory.builtIn.utf8) }
        do throws(SystemError) {
            return try File.read(tenants)
        } catch {
            guard error.isMissingFile else { throw error }
            throw refusal("'\(tenants)': \(error.reason); 'entra-emulator init' prints one")
        }
    }

    private func listen(
        _ listener: Listener,
        _ addresses: [LoopbackAddress],
        _ port: UInt16,
        _ option: String
    ) throws -> UInt16 {
        do throws(SystemError) {
            return try listener.start(at: addresses, port: port)
        } catch {
            if error.isPermissionDenied {
                throw refusal("port \(port) needs root; '\(option)' sets another one")
            }
            guard error.isAddressInUse else { throw refusal("port \(port): \(error)") }
            throw refusal(
                "port \(port) is in use; choose another one with '--port' or '--admin-port'"
            )
        }
    }

    /// Writes an error, and returns exit code 1.
    private func refusal(_ line: String) -> ExitCode {
        StandardError.write("entra-emulator: error: \(line)\n")
        return .failure
    }
}

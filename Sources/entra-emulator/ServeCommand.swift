import ArgumentParser
import Diagnostics
import EntraEmulator
import FastCGI
import HTTPTypes
import OpenSSL
import POSIX

struct ServeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Answers nginx until SIGTERM."
    )

    @Option(help: "Where browsers and siteauth find it; an address of this machine.")
    var baseURL = "http://localhost:8081"

    @Option(help: "The Unix socket it listens on.")
    var socket = "run/emulator.sock"

    @Option(help: "A file with a tenant, instead of the built-in one.")
    var tenant: String?

    func run() throws {
        let signals = [Signals.terminate, Signals.interrupt]
        Signals.block(signals)
        Signals.ignoreBrokenPipes()
        do {
            let server = try makeServer(makeEmulator())
            try server.start()
            StandardError.write("entra-emulator: ready at \(baseURL)\n")
            _ = Signals.wait(for: signals)
            _ = server.stop(waiting: 800)
        } catch let error as SystemError {
            StandardError.write("entra-emulator: error: \(error)\n")
            throw ExitCode.failure
        }
        Host.exit(0)
    }

    private func makeEmulator() throws -> Emulator {
        let emulator = Emulator(
            try directory(),
            base: baseURL,
            key: try SigningKey(),
            now: { Host.time },
            random: { RandomBytes.next($0) }
        )
        if let emulator { return emulator }
        let reason = "it signs anybody in as anybody, so it serves this machine only"
        throw refusal("error: '\(baseURL)' is no loopback address; \(reason)")
    }

    private func directory() throws -> Directory {
        let bytes = try tenant.map { try File.read($0) } ?? Array(DefaultTenant.toml.utf8)
        let path = tenant ?? "built-in"
        let (directory, diagnostics) = Directory.parse(bytes, path: path)
        for diagnostic in diagnostics {
            StandardError.write(diagnostic.text(program: "entra-emulator"))
        }
        guard let directory else { throw ExitCode.failure }
        return directory
    }

    private func makeServer(_ emulator: Emulator) throws -> Server {
        guard socket.contains("/"), !socket.contains(":") else {
            let reason = "it listens on a Unix socket, which no other machine reaches"
            throw refusal("error: '\(socket)' is no path of a socket; \(reason)")
        }
        if let slash = socket.lastIndex(of: "/") { try Folder.create(String(socket[..<slash])) }
        return try Server(path: socket, threads: 16) { exchange in
            EmulatorGateway.respond(exchange, emulator)
        }
    }

    /// Writes a line and stands for exit code 1.
    private func refusal(_ line: String) -> ExitCode {
        StandardError.write("entra-emulator: \(line)\n")
        return .failure
    }
}

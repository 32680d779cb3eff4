import ArgumentParser
import Diagnostics
import POSIX
import RelyingParty

/// `secrets.toml`, read and judged, or the end of the program with all that is wrong.
struct ConfigurationFile: ParsableArguments {
    @Option(name: .shortAndLong, help: "The file with the [auth] table.")
    var config = "secrets.toml"

    func read() throws -> AuthConfiguration {
        let bytes = try readBytes()
        let (configuration, diagnostics) = AuthConfiguration.parse(
            bytes,
            path: config,
            environment: Host.environment,
            now: Host.time,
            readFile: FoundFile.onDisk
        )
        for diagnostic in diagnostics {
            StandardError.write(diagnostic.text(program: "siteauth"))
        }
        guard let configuration else { throw ExitCode.failure }
        return configuration
    }

    private func readBytes() throws -> [UInt8] {
        do {
            let status = try FileStatus(of: config)
            guard status.permissions & 0o007 == 0 else {
                let remedy = "'chmod 600 \(config)' puts that right"
                throw refusal(
                    "\(config):1:1: error: every user of this machine may read it; \(remedy)"
                )
            }
            return try File.read(config, maximumBytes: 1 << 20)
        } catch let error as SystemError {
            // Some keep everything in variables, or in '.env' as Microsoft's samples do.
            if error.isMissingFile, Host.environment["CLIENT_ID"] != nil || hasDotEnv { return [] }
            let remedy = "it holds the [auth] table; '--config' names another file"
            throw refusal("\(config):1:1: error: \(error.reason); \(remedy)")
        }
    }

    private var hasDotEnv: Bool {
        let folder = config.lastIndex(of: "/").map { config[...$0] } ?? ""
        return (try? FileStatus(of: "\(folder).env")) != nil
    }

    /// Writes a line and stands for exit code 1.
    private func refusal(_ line: String) -> ExitCode {
        StandardError.write(line + "\n")
        return .failure
    }
}

import ArgumentParser
import Diagnostics
import POSIX
import RelyingParty

/// The configuration file of a command, and the errors in it.
struct ConfigurationFile: ParsableArguments {
    @Option(name: .shortAndLong, help: "The file with the [auth] table.")
    var config = "secrets.toml"

    /// The file's present status; `nil` if there is no file.
    var status: FileStatus? { try? FileStatus(of: config) }

    /// Reads the file, or ends the program with all errors.
    func read() throws -> AuthConfiguration {
        let (configuration, diagnostics) = load()
        for diagnostic in diagnostics {
            StandardError.write(diagnostic.text(program: "siteauth"))
        }
        guard let configuration else { throw ExitCode.failure }
        return configuration
    }

    func load() -> (configuration: AuthConfiguration?, diagnostics: [Diagnostic]) {
        let bytes: [UInt8]
        do {
            bytes = try readBytes()
        } catch {
            return (
                nil, [Diagnostic(.error, error.message, at: SourceLocation(withoutLines: config))]
            )
        }
        return AuthConfiguration.parse(
            bytes,
            path: config,
            environment: Host.environment,
            now: Host.time,
            readFile: FileSnapshot.onDisk
        )
    }

    private struct ReadError: Error { let message: String }

    private func readBytes() throws(ReadError) -> [UInt8] {
        do {
            let status = try FileStatus(of: config)
            guard status.permissions & 0o007 == 0 else {
                let mode = String(status.permissions, radix: 8)
                let problem = "other users have permissions on this file (mode \(mode))"
                throw ReadError(message: "\(problem); run 'chmod 600 \(config)'")
            }
            return try File.read(config, maximumBytes: 1 << 20)
        } catch let error as SystemError {
            // The whole configuration may be in variables, or in '.env' as in Microsoft's samples.
            if error.isMissingFile, Host.environment["CLIENT_ID"] != nil || hasDotEnv { return [] }
            throw ReadError(message: error.reason + Self.remedy(error))
        } catch let refusal as ReadError {
            throw refusal
        } catch {
            throw ReadError(message: "\(error)")
        }
    }

    private static func remedy(_ error: SystemError) -> String {
        if error.isMissingFile {
            return "; create it with the table [auth], or name another file with '--config'"
        }
        guard error.isPermissionDenied else { return "" }
        return "; run siteauth as its owner or a member of its group"
    }

    private var hasDotEnv: Bool {
        let folder = config.lastIndex(of: "/").map { config[...$0] } ?? ""
        return (try? FileStatus(of: "\(folder).env")) != nil
    }
}

import ArgumentParser
import Diagnostics
import POSIX
import RelyingParty
import SiteauthConfiguration

/// The configuration file of a command, and the errors in it.
struct ConfigurationFile: Sendable {
    static let defaultPath = "secrets.toml"

    let path: String
    /// The folder of systemd's credentials for commands that systemd did not start; `nil` for none.
    var credentials: String?
    /// Whether a service reads the file as a member of the group `siteauth`.
    var isOfService = false

    /// The file's present status; `nil` if there is no file.
    var status: FileStatus? { try? FileStatus(of: path) }

    private var environment: [String: String] {
        guard let credentials else { return Host.environment }
        return ["CREDENTIALS_DIRECTORY": credentials].merging(Host.environment) { $1 }
    }

    /// Reads the file, or ends the program with all errors.
    func read() throws -> AuthConfiguration {
        let (configuration, diagnostics) = load()
        for diagnostic in diagnostics {
            let priority: StandardError.Priority =
                diagnostic.severity == .error ? .error : .warning
            StandardError.write(diagnostic.text(program: "siteauth"), priority)
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
                nil, [Diagnostic(.error, error.message, at: SourceLocation(withoutLines: path))]
            )
        }
        return AuthConfiguration.parse(
            bytes,
            path: path,
            environment: environment,
            now: Host.time,
            readFile: readFile
        )
    }

    private struct ReadError: Error, CustomStringConvertible {
        let message: String
        var description: String { message }
    }

    /// Reads a file that the configuration names.
    private var readFile: ReadFile {
        guard isOfService else { return FileSnapshot.onDisk }
        return { path in
            let file = try FileSnapshot.onDisk(path)
            if file != nil, !path.hasPrefix("\(credentials ?? "/run/credentials")/") {
                try Self.requireGroup(try FileStatus(of: path), path)
            }
            return file
        }
    }

    private static func requireGroup(_ status: FileStatus, _ path: String) throws(ReadError) {
        let remedy = "run 'chgrp siteauth \(path)' and 'chmod 640 \(path)'"
        if status.isForRootOnly {
            throw ReadError(message: "only root can read it, and siteauth is not root; \(remedy)")
        }
        // siteauth, too, is a member of this group, and so would not notice.
        if let nginx = UserGroup.id(of: "www-data"), status.group == nginx,
            status.permissions & 0o040 != 0
        {
            throw ReadError(message: "nginx can read it, by the group 'www-data'; \(remedy)")
        }
    }

    private func readBytes() throws(ReadError) -> [UInt8] {
        do {
            let status = try FileStatus(of: path)
            guard !status.isAccessibleToOthers else {
                let mode = String(status.permissions, radix: 8)
                let problem = "other users have permissions on this file (mode \(mode))"
                let remedy = "run 'chmod \(status.recommendedMode) \(path)'"
                throw ReadError(message: "\(problem); \(remedy)")
            }
            if isOfService { try Self.requireGroup(status, path) }
            let folder = Folder.parent(of: path)
            // Also with the sticky bit: another user could put a file '.env' beside this one.
            guard try FileStatus(of: folder).permissions & 0o002 == 0
            else {
                let problem = "other users may write to the folder of this file"
                throw ReadError(message: "\(problem); run 'chmod o-w \(folder)'")
            }
            return try File.read(path, maximumBytes: 1 << 20)
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
        (try? FileStatus(of: "\(Folder.parent(of: path))/.env")) != nil
    }
}

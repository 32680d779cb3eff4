import Diagnostics
import Settings

extension AuthConfiguration.Reader {
    /// Resolves a path relative to the folder of the configuration.
    func resolved(_ name: String) -> String {
        guard !name.hasPrefix("/"), let slash = path.lastIndex(of: "/") else { return name }
        return String(path[...slash]) + name
    }

    /// Reads the variables of `.env` beside the configuration; variables of the process override
    /// them.
    func readDotEnv() {
        let path = resolved(".env")
        let text: String
        let file: FileSnapshot
        do {
            guard let found = try readFile(path) else { return }
            file = found
            // `AUTHORITY` decides who may sign people in: a file that nobody can read stops siteauth.
            let decoded = DecodedText(found.bytes)
            if let mistake = decoded.mistake { missing.append(mistake.diagnostic(in: path)) }
            text = String(decoding: decoded.utf8, as: UTF8.self)
        } catch {
            // The file may belong to another program.
            missing.append(
                Diagnostic(
                    .warning,
                    "is not read: \(error)",
                    at: SourceLocation(withoutLines: path)
                )
            )
            return
        }
        // Even without a secret in it, the file decides by AUTHORITY who may sign people in.
        if file.isWritableByOthers {
            let message =
                "other users may write to this file; run 'chmod o-w \(path)'"
            missing.append(Diagnostic(.error, message, at: SourceLocation(withoutLines: path)))
            return
        }
        let found = DotEnv(text, path: path)
        let secrets = ["CLIENT_SECRET", "COOKIE_SECRET"].filter { found.values[$0] != nil }
        if file.isAccessibleToOthers, let name = secrets.first {
            let remedy = "run 'chmod 600 \(path)'"
            missing.append(
                Diagnostic(
                    .error,
                    "other users have permissions on this file with '\(name)'; \(remedy)",
                    at: found.locations[name]
                )
            )
        }
        dotEnv = found
    }

    /// The secrets of a key; the first one is preferred.
    ///
    /// They come from a variable, a systemd credential (systemd.exec(5), `LoadCredential=`), the
    /// file that `<key>_file` names, or the configuration itself.
    func secrets(_ key: String) -> [String]? {
        let file = text("\(key)_file")
        let isInConfiguration = auth?.has(key) ?? false
        if let value = variable(key) { return [value] }
        if let path = systemdCredential(key) { return lines(of: path, at: key) }
        guard let file else { return isInConfiguration ? auth?.stringOrStrings(key) : nil }
        if isInConfiguration {
            report("only one of '\(key)' and '\(key)_file' can be given", at: key)
        }
        return lines(of: resolved(file), at: "\(key)_file")
    }

    /// Whether a secret is configured in any of these ways.
    func hasSecret(_ key: String) -> Bool {
        text("\(key)_file") != nil || auth?.has(key) ?? false || variable(key) != nil
            || systemdCredential(key) != nil
    }

    /// The path of a systemd credential, or `nil` if there is none.
    func systemdCredential(_ key: String) -> String? {
        guard let folder = environment["CREDENTIALS_DIRECTORY"], !folder.isEmpty else { return nil }
        let path = "\(folder)/\(key)"
        do {
            guard let file = try readFile(path), !file.bytes.isEmpty else { return nil }
            return path
        } catch {
            reportUnreadableCredential(path, "\(error)")
            return nil
        }
    }

    /// Reports a credential that may exist, once for all of them.
    private func reportUnreadableCredential(_ path: String, _ reason: String) {
        guard !hasUnreadableCredential else { return }
        hasUnreadableCredential = true
        let remedy = "run siteauth as the account of the service"
        let message = "the credential '\(path)' of systemd is not read: \(reason); \(remedy)"
        missing.append(Diagnostic(.error, message, at: nil))
    }

    /// The text of the file that `key` names, in bytes, or `nil` after reporting what is wrong.
    ///
    /// - Parameter isSecret: whether a file is refused on which other users have permissions.
    func bytes(of path: String, at key: String, isSecret: Bool) -> [UInt8]? {
        do {
            guard let file = try readFile(path) else {
                report("'\(key)' is '\(path)': no such file", at: key)
                return nil
            }
            guard !isSecret || !file.isAccessibleToOthers else {
                let remedy = "run 'chmod 600 \(path)'"
                report("other users have permissions on '\(path)'; \(remedy)", at: key)
                return nil
            }
            return file.text
        } catch {
            report("'\(key)' is '\(path)': \(error)", at: key)
            return nil
        }
    }

    /// The cookie secrets, or `nil` after reporting what is wrong.
    ///
    /// - Parameter ids: the ids of registration and tenant; they are public, and a secret must not
    ///   contain them.
    func cookieSecrets(beside ids: [String?]) -> [String]? {
        guard let secrets = secrets("cookie_secret") else {
            report(
                missing: "cookie_secret",
                "32 to 64 random bytes; 'siteauth generate-secret' prints some"
            )
            return nil
        }
        if secrets.isEmpty { report("'cookie_secret' is an empty list", at: "cookie_secret") }
        let guids = ids.compactMap { $0.flatMap(DisplayText.guid) }
        for secret in secrets {
            guard let problem = problem(of: secret, beside: guids) else { continue }
            // The message never contains the secret.
            let remedy = "'siteauth generate-secret' prints a good one"
            report("'cookie_secret' \(problem); \(remedy)", at: "cookie_secret")
            return nil
        }
        return secrets.isEmpty ? nil : secrets
    }

    /// Refuses a cookie secret that equals the client secret, which the provider and its
    /// administrators know.
    func refuseEqualSecrets(_ secrets: [String]?, _ credential: Credential?) {
        guard case .secret(let client, _) = credential, let secrets,
            secrets.contains(where: { $0.utf8.elementsEqual(client.utf8) })
        else { return }
        let remedy = "'siteauth generate-secret' prints a separate one"
        report(
            "'cookie_secret' is the same as 'client_secret', which the provider knows; \(remedy)",
            at: "cookie_secret"
        )
    }

    private func problem(of secret: String, beside guids: [String]) -> String? {
        func digits(_ text: String) -> String { text.lowercased().filter { $0 != "-" } }
        if guids.contains(where: { digits(secret).contains(digits($0)) }) {
            return "contains the id of the registration or of the tenant, which is public"
        }
        return CookieSecret.problem(of: secret)
    }

    private func lines(of path: String, at key: String) -> [String]? {
        guard let bytes = bytes(of: path, at: key, isSecret: true) else { return nil }
        let lines = FileSnapshot(bytes: bytes, isAccessibleToOthers: false).lines
        guard !lines.isEmpty else {
            report("'\(path)' is empty or not UTF-8 text", at: key)
            return nil
        }
        return lines
    }

    func warn(_ message: String, at key: String) {
        let location = variable(key) == nil ? auth?.location(of: key) ?? SourceLocation(path) : nil
        missing.append(Diagnostic(.warning, message, at: location))
    }
}

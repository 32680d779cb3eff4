import OpenSSL
import Settings

extension AuthConfiguration.Reader {
    private static let keys = [
        "client_secret", "client_certificate", "federated_token_file", "managed_identity",
    ]

    /// The one credential, or `nil` after reporting what is wrong.
    func credential(at provider: WebURL?) -> Credential? {
        // All keys are read, so that none is reported as unknown.
        let method = word("client_auth_method", Credential.SecretMethod.self)
        let algorithm = word("client_assertion_algorithm", Credential.AssertionAlgorithm.self)
        let paths = ["client_certificate", "client_key"].map(path)
        let token = text("federated_token_file").map(resolved)
        let identity = text("managed_identity")
        let inFile = [
            hasSecret("client_secret"), paths[0] ?? paths[1] != nil, token != nil,
            identity != nil,
        ]
        var given = zip(Self.keys, inFile).filter(\.1).map(\.0)
        // A variable takes precedence over the file.
        if variable("client_secret") != nil { given = ["client_secret"] }
        if given.count > 1 {
            let names = given.map { "'\($0)'" }.joined(separator: ", ")
            report("only one of \(names) can be given", at: given[1])
            return nil
        }
        if method != nil, given.first != "client_secret" {
            report("'client_auth_method' applies to 'client_secret' only", at: "client_auth_method")
        }
        if algorithm != nil, given.first != "client_certificate" {
            let message = "'client_assertion_algorithm' applies to 'client_certificate' only"
            report(message, at: "client_assertion_algorithm")
        }
        switch given.first {
        case "client_secret": return secret(method ?? .post, provider)
        case "client_certificate": return certificate(paths, algorithm ?? .ps256)
        case "federated_token_file": return token.map { .federatedToken(path: $0) }
        case "managed_identity": return identity.flatMap(managedIdentity)
        default:
            // Azure's webhook sets this variable in every pod, so it is the last choice.
            if let path = environment["AZURE_FEDERATED_TOKEN_FILE"], !path.isEmpty {
                return .federatedToken(path: path)
            }
            let others = "'client_certificate', 'federated_token_file' or 'managed_identity'"
            report(
                missing: "client_secret",
                "enter the 'Value' of a client secret, not its ID, or use \(others)"
            )
            return nil
        }
    }

    private func secret(_ method: Credential.SecretMethod, _ provider: WebURL?) -> Credential? {
        guard let secret = secrets("client_secret")?.first, !secret.isEmpty else { return nil }
        // The emulator's registrations have such secrets, and the emulator listens on this machine
        // only.
        if provider?.isLoopback != true, Self.isExample(secret) {
            let remedy = "create a client secret and copy its 'Value'"
            report(
                "'client_secret' is a published example; \(remedy)",
                at: "client_secret"
            )
            return nil
        }
        if DisplayText.guid(secret) != nil {
            let remedy = "enter the 'Value', which the portal shows once, beside it"
            warn("'client_secret' looks like a 'Secret ID'; \(remedy)", at: "client_secret")
        }
        if let id = text("client_id"), let provider, provider.isMicrosoft,
            DisplayText.guid(id) == nil
        {
            let remedy = "copy 'Application (client) ID' from the portal"
            warn("'client_id' is '\(id)', which is not a GUID; \(remedy)", at: "client_id")
        }
        if let provider, !provider.isLoopback {
            let remedy = "'client_certificate' or a federated credential is harder to copy"
            warn("'client_secret' is a plain secret; in production, \(remedy)", at: "client_secret")
        }
        return .secret(secret, method)
    }

    /// Whether a client secret is one of this project's pages, or a placeholder of tutorials.
    private static func isExample(_ secret: String) -> Bool {
        let text = secret.lowercased()
        let shown = ["the value of ", "the output of", "emulated~secret.is-no-secret_at-all"]
        if shown.contains(where: { text.contains($0) }) { return true }
        if text.hasPrefix("<"), text.hasSuffix(">") { return true }
        if text.count >= 3, text.allSatisfy({ $0 == "x" }) { return true }
        let letters = text.filter { $0.isASCII && $0.isLetter }
        let nouns = ["clientsecret", "clientsecretvalue", "secret", "secretvalue", "appsecret"]
        let phrases = nouns.flatMap { noun in
            ["your\(noun)", "your\(noun)here", "enteryour\(noun)", "enter\(noun)here", "my\(noun)"]
        }
        return (phrases + ["changeme", "replaceme", "todo", "clientsecret"]).contains(letters)
    }

    /// The day on which the client secret expires, and a warning if it is near.
    func clientSecretExpires(_ credential: Credential?) -> NumericDate? {
        let key = "client_secret_expires"
        guard let value = auth?.anything(key) else { return nil }
        guard case .date(let text) = value.content, text.utf8.count == 10,
            let day = CalendarTime.day(text)
        else {
            report("'\(key)' must be a date, such as 2027-05-01", at: key)
            return nil
        }
        guard let credential else { return nil }
        guard case .secret = credential else {
            report("'\(key)' applies to 'client_secret' only", at: key)
            return nil
        }
        if let now, let warning = Expiry("client_secret", at: day).secretWarning(at: now) {
            warn(warning, at: key)
        }
        return day
    }

    private func certificate(
        _ paths: [String?],
        _ algorithm: Credential.AssertionAlgorithm
    ) -> Credential? {
        guard let certificatePath = paths[0], let keyPath = paths[1] else {
            let absent = paths[0] == nil ? "client_certificate" : "client_key"
            report(missing: absent, "the path of a PEM file; a certificate and its key go together")
            return nil
        }
        guard
            let pem = bytes(of: certificatePath, at: "client_certificate", isSecret: false),
            let keyPEM = bytes(of: keyPath, at: "client_key", isSecret: true)
        else { return nil }
        do throws(CertificateRejection) {
            let pair = try CertificatePair(certificate: pem, key: keyPEM)
            if let now, let warning = pair.warning(at: now) {
                warn("'\(certificatePath)' \(warning)", at: "client_certificate")
            }
        } catch {
            let path = error.key == "client_key" ? keyPath : certificatePath
            report("'\(error.key)' is '\(path)': \(error.reason)", at: error.key)
        }
        let files = Credential.CertificateFiles(
            certificate: certificatePath,
            key: keyPath,
            algorithm: algorithm
        )
        return .certificate(files)
    }

    private func managedIdentity(_ text: String) -> Credential? {
        guard let clientID = DisplayText.guid(text) else {
            let rule = "it must be the client ID of a user-assigned identity, a GUID"
            report("'managed_identity' is '\(text)'; \(rule)", at: "managed_identity")
            return nil
        }
        let endpoint = environment["IDENTITY_ENDPOINT"] ?? ""
        let header = environment["IDENTITY_HEADER"] ?? ""
        let host = environment["AZURE_POD_IDENTITY_AUTHORITY_HOST"] ?? ""
        let isAppService = !endpoint.isEmpty && !header.isEmpty
        let url =
            isAppService ? endpoint : host.isEmpty ? "http://169.254.169.254" : host
        guard let service = WebURL(url, takesPlainHTTP: true), service.query.isEmpty else {
            let name = isAppService ? "IDENTITY_ENDPOINT" : "AZURE_POD_IDENTITY_AUTHORITY_HOST"
            report("the variable \(name) is '\(url)', which is not a URL", at: "managed_identity")
            return nil
        }
        return .managedIdentity(
            Credential.ManagedIdentity(
                clientID: clientID,
                service: isAppService
                    ? .appService(service, header: header) : .instanceMetadata(service)
            )
        )
    }

    /// The path from the file, or the path of a systemd credential.
    private func path(_ key: String) -> String? {
        let named = text(key).map(resolved)
        return named ?? systemdCredential(key)
    }

    func word<Word: RawRepresentable & CaseIterable>(
        _ key: String,
        _ type: Word.Type
    ) -> Word? where Word.RawValue == String {
        guard let text = text(key) else { return nil }
        if let word = Word(rawValue: text) { return word }
        let words = Word.allCases.map { "'\($0.rawValue)'" }.joined(separator: " or ")
        report("'\(key)' is '\(text)'; it must be \(words)", at: key)
        return nil
    }
}

import Diagnostics
import Settings

extension AuthConfiguration {
    /// Environment variables that override a key, with the names that Microsoft's samples use.
    ///
    /// The other keys have no variable: names like PROMPT mean something else in many shells.
    public static let variables = [
        "REDIRECT_URI", "COOKIE_SECRET", "CLIENT_ID", "CLIENT_SECRET", "AUTHORITY",
        "OIDC_AUTHORITY", "SERVER_METADATA_URL",
    ]

    /// Keys that other programs have, with hints to the keys here.
    private static let keysOfOtherPrograms = [
        "tenant_id": "the tenant is part of 'authority'",
        "tenant": "the tenant is part of 'authority'",
        "issuer": "did you mean 'oidc_authority'?",
    ]

    /// Keys of `[auth]` that are often written above the first table.
    private static let misplacedKeys = Dictionary(
        uniqueKeysWithValues: variables.map { ($0.lowercased(), "put the keys below [auth]") }
    )

    private static func firstMisplacedKey(_ root: SettingsTable) -> String? {
        root.entries.map(\.key).first { misplacedKeys[$0] != nil }
    }

    /// Reads `secrets.toml` and the environment, which overrides its keys.
    ///
    /// The keys have the names of Streamlit's `secrets.toml`, the variables those of Microsoft's
    /// samples.
    ///
    /// - Parameters:
    ///   - now: the time for the dates of a certificate; `nil` skips that test.
    ///   - readFile: reads the files that `secrets.toml` names, and `.env` beside it.
    /// - Returns: the configuration if there is no error, and all errors and warnings.
    public static func parse(
        _ bytes: [UInt8],
        path: String,
        environment: [String: String],
        now: NumericDate? = nil,
        readFile: @escaping ReadFile = { _ in nil }
    ) -> (configuration: AuthConfiguration?, diagnostics: [Diagnostic]) {
        let file = SettingsFile(bytes, path: path)
        guard file.diagnostics.isEmpty else { return (nil, file.diagnostics) }
        // Without the header, the keys are read as if it were there, so that all other mistakes are
        // reported as well.
        let bare = file.root.has("auth") ? nil : firstMisplacedKey(file.root)
        let auth = bare == nil ? file.root.table("auth") : file.root
        if let bare {
            let remedy = "write '[auth]' on a line above this key"
            file.root.report("[auth] is missing; \(remedy)", atKey: bare)
        }
        let reader = Reader(
            file: file,
            auth: auth,
            environment: environment,
            path: path,
            now: now,
            readFile: readFile
        )
        let configuration = reader.configuration()
        auth?.refuseUnknownKeys(hints: keysOfOtherPrograms)
        file.root.refuseUnknownKeys(hints: misplacedKeys)
        let diagnostics = (file.diagnostics + reader.missing).sorted()
        let isSound = !diagnostics.contains { $0.severity == .error }
        return (isSound ? configuration : nil, diagnostics)
    }

    final class Reader {
        let file: SettingsFile
        let auth: SettingsTable?
        let environment: [String: String]
        let path: String
        let now: NumericDate?
        let readFile: ReadFile
        var dotEnv = DotEnv()
        var missing: [Diagnostic] = []
        var hasUnreadableCredential = false
        /// The key that names the provider.
        private(set) var authorityKey: String?

        init(
            file: SettingsFile,
            auth: SettingsTable?,
            environment: [String: String],
            path: String,
            now: NumericDate?,
            readFile: @escaping ReadFile
        ) {
            self.file = file
            self.auth = auth
            self.environment = environment
            self.path = path
            self.now = now
            self.readFile = readFile
            readDotEnv()
        }

        func configuration() -> AuthConfiguration? {
            let redirectURI = redirectURI()
            let clientID = required(
                "client_id",
                "the 'Application (client) ID' of the registration"
            )
            let metadataURL = metadataURL()
            let secrets = cookieSecrets(beside: [clientID, metadataURL?.firstSegment])
            let credential = credential(at: metadataURL)
            refuseEqualSecrets(secrets, credential)
            let expires = clientSecretExpires(credential)
            let allowed = allowedTenants(metadataURL)
            let roleTenants = roleTenants(allowed)
            let asksGraph = asksGraph()
            let idle = seconds("session_idle_seconds", 2 * 3600)
            let lifetime = seconds("session_lifetime_seconds", 10 * 3600)
            var session = SessionSettings(auth, callbackPath: redirectURI?.path)
            session.redis = redis()
            let provider = provider(at: metadataURL)
            let audit = audit()
            let scope = text("scope") ?? "openid profile email"
            let prompt = text("prompt")
            if !scope.split(separator: " ").contains("openid") {
                report(
                    "'scope' is '\(scope)'; it must contain 'openid', or there is no ID token",
                    at: "scope"
                )
            }
            if let prompt, !["login", "select_account", "consent"].contains(prompt) {
                let words = "'select_account', 'login' or 'consent'"
                report("'prompt' is '\(prompt)'; it must be \(words)", at: "prompt")
            }
            guard let redirectURI, let secrets, let clientID, let credential, let metadataURL,
                let idle, let lifetime
            else { return nil }
            return AuthConfiguration(
                redirectURI: redirectURI,
                cookieSecrets: secrets,
                clientID: clientID,
                credential: credential,
                clientSecretExpires: expires,
                metadataURL: metadataURL,
                allowedTenants: allowed,
                roleTenants: roleTenants,
                scope: scope,
                prompt: prompt,
                asksGraph: asksGraph,
                idleSeconds: idle,
                lifetimeSeconds: lifetime,
                session: session,
                provider: provider,
                audit: audit
            )
        }

        /// The tenants whose app roles count: the administrators of any tenant can assign app
        /// roles.
        private func roleTenants(_ allowed: AllowedTenants) -> Set<String> {
            if let listed = auth?.strings("role_tenants") {
                for (index, tenant) in listed.enumerated() where DisplayText.guid(tenant) == nil {
                    let message = "'\(tenant)' is not a tenant id (a GUID)"
                    auth?.report(message, at: "role_tenants", element: index)
                }
                return Set(listed.map { $0.lowercased() })
            }
            if case .these(let ids) = allowed, allowed.isOneTenant { return ids }
            return []
        }

        private func audit() -> AuditDestination? {
            guard let place = text("audit") else { return nil }
            if place == "stderr" { return .standardError }
            if place.hasPrefix("/"), !place.hasSuffix("/") { return .file(place) }
            let rule = "it must be 'stderr', or the path of a file that begins with '/'"
            report("'audit' is '\(place)'; \(rule)", at: "audit")
            return nil
        }

        private func asksGraph() -> Bool {
            let choice = text("group_overage") ?? "graph"
            if !["graph", "refuse"].contains(choice) {
                report(
                    "'group_overage' is '\(choice)'; it must be 'graph' or 'refuse'",
                    at: "group_overage"
                )
            }
            return choice == "graph"
        }

        private func redirectURI() -> WebURL? {
            guard
                let text = required(
                    "redirect_uri",
                    "the URL that the provider sends browsers back to"
                )
            else { return nil }
            // Entra accepts plain http for 'localhost' only, not for names below it.
            guard let url = WebURL(text), url.query.isEmpty,
                url.scheme == "https" || !url.host.hasSuffix(".localhost")
            else {
                let bare = text.prefix { $0 != "?" && $0 != "#" }
                let rule =
                    bare.count < text.count && WebURL(String(bare)) != nil
                    ? "it must have no query and no fragment"
                    : "it must be an https URL; http is for localhost only"
                report("'redirect_uri' is '\(text)'; \(rule)", at: "redirect_uri")
                return nil
            }
            guard url.path.hasPrefix("/"), url.path != "/" else {
                report("'redirect_uri' has no path; '/auth/callback' is usual", at: "redirect_uri")
                return nil
            }
            if let problem = url.problemOfPrefix {
                report("'redirect_uri' is '\(text)'; \(problem)", at: "redirect_uri")
                return nil
            }
            return url
        }

        /// The URL of the discovery document, from one of three keys.
        private func metadataURL() -> WebURL? {
            let keys = ["server_metadata_url", "oidc_authority", "authority"]
            let inFile = keys.filter { text($0) != nil }
            let inEnvironment = keys.filter { variable($0) != nil }
            let given = inEnvironment.isEmpty ? inFile : inEnvironment
            guard given.count == 1, let key = given.first, let value = text(key) else {
                let names = keys.map { "'\($0)'" }.joined(separator: ", ")
                if given.isEmpty {
                    report(missing: "authority", "https://login.microsoftonline.com/<tenant id>")
                } else {
                    report("only one of \(names) can be given", at: given[0])
                }
                return nil
            }
            authorityKey = key
            let wellKnown = "/.well-known/openid-configuration"
            if key != "server_metadata_url", value.hasSuffix(wellKnown) {
                let remedy = "use the key 'server_metadata_url', or leave out '\(wellKnown)'"
                report("'\(key)' is the URL of the discovery document; \(remedy)", at: key)
                return nil
            }
            var url = value
            while key != "server_metadata_url", url.hasSuffix("/") { url.removeLast() }
            if key == "authority" { url = Self.expand(url) }
            if key != "server_metadata_url" { url += wellKnown }
            guard let parsed = WebURL(url) else {
                let rule =
                    placeholder(in: value).map { "replace '\($0)'" } ?? "it must be an https URL"
                report("'\(key)' is '\(value)'; \(rule)", at: key)
                return nil
            }
            if key != "server_metadata_url", let problem = problem(ofAuthority: value, at: key) {
                report(problem, at: key)
                return nil
            }
            return parsed
        }

        /// Completes an `authority` as MSAL does: without `/v2.0`, at external tenants also without
        /// a path.
        private static func expand(_ authority: String) -> String {
            if authority.hasSuffix("/v2.0") { return authority }
            guard let url = WebURL(authority), url.path.isEmpty,
                url.isExternalTenant
            else { return authority + "/v2.0" }
            let name = url.host.prefix { $0 != "." }
            return "\(authority)/\(name).onmicrosoft.com/v2.0"
        }

        /// The allowed tenants; `common` and `organizations` admit every organisation on earth, so
        /// the key is required there.
        private func allowedTenants(_ metadataURL: WebURL?) -> AllowedTenants {
            let first = metadataURL?.firstSegment ?? ""
            guard let listed = auth?.strings("allowed_tenants") else {
                if first == "common" || first == "organizations" {
                    let remedy = "list tenant ids, or write [\"any\"]"
                    report(
                        missing: "allowed_tenants",
                        "the tenants whose accounts may sign in through '\(first)'; \(remedy)"
                    )
                }
                return .unspecified
            }
            if listed == ["any"] { return .any }
            if listed.isEmpty {
                let remedy = "list tenant ids, or write [\"any\"]"
                report(
                    "'allowed_tenants' is empty, so nobody can sign in; \(remedy)",
                    at: "allowed_tenants"
                )
            }
            for (index, tenant) in listed.enumerated() where DisplayText.guid(tenant) == nil {
                let message =
                    tenant == "any"
                    ? "'any' must stand alone" : "'\(tenant)' is not a tenant id (a GUID)"
                auth?.report(message, at: "allowed_tenants", element: index)
            }
            let tenants = Set(listed.map { $0.lowercased() })
            if first == "organizations", tenants.contains(AuthConfiguration.personalAccountsTenant)
            {
                let remedy = "use 'common', which includes them"
                report(
                    "'organizations' excludes personal accounts; \(remedy)",
                    at: "allowed_tenants"
                )
            }
            return .these(tenants)
        }

        func seconds(_ key: String, _ standard: Int) -> Int? {
            guard let value = auth?.integer(key) else { return standard }
            if (60...30 * 86_400).contains(value) { return value }
            report("'\(key)' is \(value); it must be 60 to \(30 * 86_400)", at: key)
            return nil
        }

        /// The value from the environment or else from the file; an empty value counts as missing.
        func text(_ key: String) -> String? {
            let inFile = auth?.string(key)
            let value = variable(key) ?? inFile
            return value?.isEmpty == false ? value : nil
        }

        /// The environment variable for a key; an empty value counts as missing.
        func variable(_ key: String) -> String? {
            let name = key.uppercased()
            guard AuthConfiguration.variables.contains(name),
                let value = environment[name] ?? dotEnv.values[name], !value.isEmpty
            else { return nil }
            return value
        }

        func required(_ key: String, _ what: String) -> String? {
            if let value = text(key) { return value }
            report(missing: key, what)
            return nil
        }

        func report(missing key: String, _ what: String) {
            // A value of the wrong type was already reported.
            guard auth?.has(key) != true || variable(key) != nil else { return }
            let location = auth?.location ?? SourceLocation(path)
            let message = "'\(key)' is missing in [auth]: \(what)"
            missing.append(
                Diagnostic(
                    .error,
                    message,
                    at: location,
                    notes: AuthConfiguration.variables.contains(key.uppercased())
                        ? [.init("or set the environment variable \(key.uppercased())")]
                        : []
                )
            )
        }

        func report(_ message: String, at key: String) {
            let name = key.uppercased()
            if variable(key) != nil, environment[name] == nil {
                missing.append(Diagnostic(.error, message, at: dotEnv.locations[name]))
            } else if variable(key) != nil {
                missing.append(Diagnostic(.error, "environment: \(message)", at: nil))
            } else {
                guard let auth else {
                    missing.append(Diagnostic(.error, message, at: SourceLocation(path)))
                    return
                }
                auth.report(message, at: key)
            }
        }
    }
}

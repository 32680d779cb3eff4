extension AuthConfiguration.Reader {
    /// The names of a tenant in examples, in lower case and without `-` and `_`.
    private static let placeholders: Set<String> = [
        "tenant", "tenantid", "tenantname", "yourtenant", "yourtenantid", "yourtenantname",
        "directoryid", "enterthetenantidhere", "enterthetenantinfohere",
    ]

    /// Entra's endpoints below a tenant, which people copy instead of the authority.
    private static let endpoints = [
        ("/oauth2/v2.0/authorize", "authorization"), ("/oauth2/authorize", "authorization"),
        ("/oauth2/v2.0/token", "token"), ("/oauth2/token", "token"),
    ]

    /// The first `<...>` or `{...}` of a value.
    func placeholder(in value: String) -> String? {
        for (opening, closing) in [("<", ">"), ("{", "}")] as [(Character, Character)] {
            guard let start = value.firstIndex(of: opening),
                let end = value[start...].firstIndex(of: closing)
            else { continue }
            return String(value[start...end])
        }
        return nil
    }

    /// Why a URL names no tenant of anybody, or `nil`.
    ///
    /// The path of another provider's authority is not restricted.
    func problem(ofAuthority value: String, at key: String) -> String? {
        guard let url = WebURL(value) else { return nil }
        if let (path, name) = Self.endpoints.first(where: { url.path.hasSuffix($0.0) }) {
            return "'\(key)' is the \(name) endpoint; leave out '\(path)'"
        }
        guard url.isMicrosoft else { return nil }
        let tenant = url.path.split(separator: "/").first ?? ""
        if tenant.isEmpty || tenant == "v2.0" {
            // MSAL derives the tenant of an external tenant from its host.
            if url.isExternalTenant { return nil }
            let remedy = "add the tenant id, as in '\(url.origin)/<tenant id>'"
            return "'\(key)' has no tenant; \(remedy)"
        }
        let letters = tenant.lowercased().filter { $0 != "-" && $0 != "_" }
        guard Self.placeholders.contains(letters) else { return nil }
        return "'\(tenant)' is a placeholder; write the tenant id in its place"
    }
}

import Diagnostics
import JOSE
import OpenSSL
import Settings

extension AuthConfiguration.Reader {
    /// The keys for providers other than Entra.
    func provider(at url: WebURL?) -> ProviderSettings {
        var settings = ProviderSettings()
        if let claim = text("groups_claim") {
            settings.groupsClaim = claim
            checkGroupsClaim(claim, at: url)
        }
        settings.sendsIDTokenHint = auth?.bool("id_token_hint") ?? settings.sendsIDTokenHint
        if settings.sendsIDTokenHint, let url, url.isMicrosoft {
            let reason = "Entra signs readers out without the ID token"
            report(
                "'id_token_hint' is for providers other than Entra; \(reason)",
                at: "id_token_hint"
            )
        }
        let responseMode = word("response_mode", ProviderSettings.ResponseMode.self)
        settings.responseMode = responseMode ?? settings.responseMode
        settings.pushesRequests = auth?.bool("pushed_authorization_requests")
        if settings.pushesRequests == true, isEntra(url) {
            let key = "pushed_authorization_requests"
            report("'\(key)' is for providers other than Entra, which takes none", at: key)
        }
        if let seconds = auth?.integer("graph_poll_seconds") {
            settings.graphPollSeconds = seconds
            checkGraphPoll(seconds, at: url)
        }
        if let listed = auth?.strings("id_token_algorithms") {
            settings.idTokenAlgorithms = idTokenAlgorithms(listed, at: url)
        }
        if let path = text("provider_ca_file") {
            settings.authorities = certificates(at: "provider_ca_file", resolved(path))
        }
        return settings
    }

    /// Whether it is Entra by its host or by the key that names it: at a domain of the company's own,
    /// and in the emulator.
    private func isEntra(_ url: WebURL?) -> Bool {
        url?.isMicrosoft == true || authorityKey == "authority"
    }

    private func checkGraphPoll(_ seconds: Int, at url: WebURL?) {
        let key = "graph_poll_seconds"
        if !(0...3600).contains(seconds) {
            report("'\(key)' is \(seconds); it must be 1 to 3600, or 0 for never", at: key)
        }
        // A token for Graph is for one tenant.
        let shared = ["common", "organizations", "consumers"]
        guard seconds != 0, let url, !url.isLikeEntra || shared.contains(url.firstSegment) else {
            return
        }
        report("'\(key)' is for one tenant of Entra, which 'authority' must name", at: key)
    }

    private func idTokenAlgorithms(
        _ listed: [String],
        at url: WebURL?
    ) -> Set<SignatureAlgorithm> {
        let key = "id_token_algorithms"
        let all = Set(SignatureAlgorithm.allCases)
        if listed.isEmpty { report("'\(key)' is empty; it must list \(all.names)", at: key) }
        let found = listed.map(SignatureAlgorithm.init(rawValue:))
        for (index, algorithm) in found.enumerated() {
            if algorithm == nil {
                let rule =
                    listed[index] == "EdDSA"
                    ? "'EdDSA' is called 'Ed25519' since RFC 9864; write that"
                    : "'\(listed[index])' is not supported; it must be \(all.names)"
                auth?.report(rule, at: key, element: index)
            } else if algorithm != .rs256, url?.isMicrosoft == true {
                auth?.report("Entra signs ID tokens with 'RS256' only", at: key, element: index)
            }
        }
        if !found.contains(.rs256), !found.contains(nil), !found.isEmpty, isEntra(url) {
            report("Entra signs ID tokens with 'RS256', which '\(key)' does not list", at: key)
        }
        return Set(found.compactMap(\.self))
    }

    private func checkGroupsClaim(_ claim: String, at url: WebURL?) {
        if claim.utf8.count > 256 || !claim.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) {
            let rule = "it must be the name of a claim, without spaces"
            report("'groups_claim' is '\(claim)'; \(rule)", at: "groups_claim")
        }
        if let url, url.isMicrosoft {
            let reason = "Entra's claim is always 'groups'"
            report(
                "'groups_claim' is for providers other than Entra; \(reason)",
                at: "groups_claim"
            )
        }
    }

    /// The certificates of a file, or `nil` after reporting what is wrong.
    func certificates(at key: String, _ path: String) -> [UInt8]? {
        guard let pem = bytes(of: path, at: key, isSecret: false) else { return nil }
        guard CertificateList(pem: pem) != nil else {
            let rule = "it must hold complete certificates in PEM"
            report("'\(key)' is '\(path)'; \(rule)", at: key)
            return nil
        }
        return pem
    }
}

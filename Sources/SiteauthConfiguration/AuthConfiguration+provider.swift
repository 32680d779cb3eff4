import Diagnostics
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
        if let path = text("provider_ca_file") {
            settings.authorities = certificates(at: "provider_ca_file", resolved(path))
        }
        return settings
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

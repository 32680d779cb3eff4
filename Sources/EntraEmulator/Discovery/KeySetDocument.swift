import Jansson

/// The key set of an authority (RFC 7517, with members of Microsoft's own).
struct KeySetDocument: Sendable {
    let keys: SigningKeys
    let finder: AuthorityFinder

    /// The public set lists keys of the government's cloud and of personal accounts, too.
    func json(_ authority: Authority) -> JSON {
        let template = finder.template(authority.cloud)
        let family =
            authority.tenant.map(SigningKeys.Family.init) ?? SigningKeys.Family(authority.cloud)
        let list =
            switch family {
            case .b2c: keys.webKeys([(.b2c, nil)])
            case .external: keys.webKeys([(.external, finder.issuer(authority))])
            case .public, .consumers:
                keys.webKeys([
                    (.public, template), (.usGovernment, template),
                    (.consumers, "\(finder.base.text)/\(Tenant.consumersID)/v2.0"),
                ])
            case .usGovernment, .china: keys.webKeys([(family, template)])
            }
        return ["keys": .array(list)]
    }
}

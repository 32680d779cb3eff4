import Settings

extension AuthConfiguration.Reader {
    /// The keys for Redis, or `nil` if there is none.
    func redis() -> RedisSettings? {
        let keys = ["redis_ca_file", "redis_client_certificate", "redis_client_key"]
        let given = keys.filter { text($0) != nil }
        guard let texts = auth?.stringOrStrings("redis") else {
            if let key = given.first, auth?.has("redis") != true {
                report("'\(key)' applies to 'redis' with 'rediss://' only", at: key)
            }
            return nil
        }
        var settings = RedisSettings(addresses: addresses(texts))
        let encrypted = settings.addresses.filter(\.isEncrypted).count
        if encrypted != 0, encrypted != settings.addresses.count {
            let rule = "they must all begin with 'rediss://', or none of them"
            report("only some addresses of 'redis' have TLS; \(rule)", at: "redis")
        }
        if let key = given.first, encrypted == 0, !settings.addresses.isEmpty {
            report("'\(key)' applies to 'redis' with 'rediss://' only", at: key)
            return settings
        }
        if let path = text("redis_ca_file") {
            settings.authorities = certificates(at: "redis_ca_file", resolved(path))
        }
        let pair = (text("redis_client_certificate"), text("redis_client_key"))
        switch pair {
        case (let certificate?, let key?):
            settings.certificate = certificates(
                at: "redis_client_certificate",
                resolved(certificate)
            )
            settings.key = bytes(of: resolved(key), at: "redis_client_key", isSecret: true)
        case (nil, nil): break
        case (let certificate, _):
            let (present, absent) =
                certificate == nil
                ? ("redis_client_key", "redis_client_certificate")
                : ("redis_client_certificate", "redis_client_key")
            report("'\(present)' is given without '\(absent)'", at: present)
        }
        return settings
    }

    private func addresses(_ texts: [String]) -> [RedisAddress] {
        if !(1...9).contains(texts.count) {
            report("'redis' has \(texts.count) addresses; it must have 1 to 9", at: "redis")
        }
        return texts.compactMap { text in
            if let address = RedisAddress(text) { return address }
            // The message omits the value, which may contain a password.
            let forms =
                "'rediss://[user:password@]host[:port][/number]', 'redis://…' or 'unix:///path'"
            report("'redis' is not a Redis address; it must be \(forms)", at: "redis")
            return nil
        }
    }
}

import Diagnostics

@testable import Access
@testable import Redis
@testable import RelyingParty
@testable import Settings
@testable import SiteauthConfiguration

/// Files that operators write, and the policy that sitegen writes for siteauth.
enum SettingsTargets {
    static let all: [String: FuzzTarget.Test] = [
        "toml": toml, "secrets": secrets, "dot-env": dotEnv, "access-policy": accessPolicy,
        "site-path": sitePath, "redis-reply": redisReply,
    ]

    // MARK: TOML

    static func toml(_ bytes: [UInt8]) {
        let text = DecodedText(bytes)
        let document = TOMLDocument(text.utf8)
        expect(document.mistakes.count <= TOMLMistake.limit, "there are not endless mistakes")
        for mistake in document.mistakes {
            expect(mistake.range.lowerBound >= 0, "a mistake is in the text")
            expect(mistake.range.upperBound <= bytes.count + 1, "a mistake is in the text")
            expect(!mistake.message.isEmpty, "a mistake has words")
        }
        let isWrong = !document.mistakes.isEmpty || text.mistake != nil
        expect(!isWrong || document.root.entries.isEmpty, "half a document is none")
        expect(text.mistake == nil || document.root.entries.isEmpty, "what is no text is a mistake")
        let file = SettingsFile(bytes, path: "f.toml")
        let entries = file.root.entries
        entries.forEach(visit)
        for key in file.root.keys {
            _ = file.root.strings(key)
            _ = file.root.tables(key).map(\.keys)
            _ = file.root.table(key)?.keys
        }
        file.root.refuseUnknownKeys()
        expect(file.diagnostics.allSatisfy { $0.location?.path == "f.toml" }, "each has a place")
        // A line above, and a comment below, change nothing else.
        if String(decoding: bytes, as: UTF8.self).contains("zz9") { return }
        if text.mistake != nil { return }
        let above = SettingsFile(Array("zz9 = 1\n".utf8) + text.utf8, path: "f.toml")
        expect(above.diagnostics.isEmpty == !isWrong, "a line above changes the rest")
        guard !isWrong else { return }
        expect("\(above.root.keys)" == "\((file.root.keys + ["zz9"]).sorted())", "all keys")
        let below = SettingsFile(text.utf8 + Array("\n# c\n".utf8), path: "f.toml")
        expect("\(below.root.entries)" == "\(entries)", "a comment below changes nothing")
    }

    private static func visit(_ entry: SettingsValue.Entry) {
        expect(entry.keyLocation.line >= 1 && entry.value.location.column >= 1, "a place")
        switch entry.value.content {
        case .table(let entries): entries.forEach(visit)
        case .list(let values):
            for value in values {
                if case .table(let entries) = value.content { entries.forEach(visit) }
            }
        case .date(let text): expect(text.utf8.count >= 10, "a date is written out: \(text)")
        default: break
        }
    }

    // MARK: secrets.toml

    static func secrets(_ bytes: [UInt8]) {
        let (configuration, diagnostics) = AuthConfiguration.parse(
            bytes,
            path: "secrets.toml",
            environment: [:],
            now: 1_800_000_000
        )
        let isSound = diagnostics.allSatisfy { $0.severity != .error }
        expect(configuration == nil || isSound, "a file with an error is not used")
        expect(configuration != nil || !isSound, "a file that is not used has an error")
        if let configuration {
            let url = configuration.redirectURI
            expect(url.scheme == "https" || url.host == "localhost", "\(url.text)")
            expect(!configuration.cookieSecrets.isEmpty, "there is a cookie secret")
            expect(configuration.cookieSecrets.allSatisfy { $0.utf8.count >= 43 }, "32 bytes")
            expect(!configuration.clientID.isEmpty, "there is a client id")
            let tenants = configuration.allowedTenants
            let first = configuration.metadataURL.firstSegment
            let isOpen = first == "common" || first == "organizations"
            expect(!isOpen || tenants != .unspecified, "nobody is let in by an omission")
        }
        let text = String(decoding: bytes, as: UTF8.self)
        let messages = diagnostics.flatMap { [$0.message] + $0.notes.map(\.message) }
        let file = SettingsFile(bytes, path: "secrets.toml")
        let auth = file.root.table("auth")
        for key in ["cookie_secret", "client_secret"] {
            // A secret that stands in the file once, as no other key or value.
            guard let secret = auth?.string(key), secret.utf8.count >= 12,
                text.ranges(of: secret).count == 1
            else { continue }
            expect(messages.allSatisfy { !$0.contains(secret) }, "no message tells '\(key)'")
        }
    }

    static func dotEnv(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        let file = DotEnv(text, path: ".env")
        for (name, value) in file.values {
            let isLine = !name.contains(where: \.isNewline) && !value.contains(where: \.isNewline)
            expect(isLine, "a variable is on one line")
            expect((file.locations[name]?.line ?? 0) > 0, "a variable has its place")
        }
        var input = FuzzInput(bytes)
        let value = input.text()
        guard !value.contains(where: { $0.isNewline || $0 == "\"" }), !value.utf8.contains(34)
        else { return }
        let read = DotEnv("# c\nexport NAME=\"\(value)\" # c\nOTHER=1\n", path: ".env")
        expect(read.values["NAME"].map { Array($0.utf8) } == Array(value.utf8), "\(value)")
        expect(read.values["OTHER"] == "1", "the next line is another variable")
    }

    // MARK: The access policy

    static func accessPolicy(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        guard let policy = AccessPolicy(text: text) else { return }
        let again = AccessPolicy(text: policy.text)
        expect(again == policy, "what is written is read: \(policy.text)")
        expect(again?.text == policy.text, "in one spelling: \(policy.text)")
        expect(AccessPolicy(text: String(text.dropLast())) == nil, "half a policy is none")
        for rule in policy.rules.prefix(20) {
            for path in [rule.path, rule.path + "x", rule.path + "/x/y", rule.path.uppercased()] {
                guard let path = SitePath(path) else { continue }
                expect(policy.audience(of: path) == audience(of: path, policy), "\(path) \(text)")
            }
        }
        let groups = Set(policy.groups.map(\.name))
        for rule in policy.rules {
            guard case .groups(let names) = rule.audience else { continue }
            expect(!names.isEmpty && names.isSubset(of: groups), "groups are defined")
        }
    }

    /// The rule with the longest path above, of all rules.
    private static func audience(of path: SitePath, _ policy: AccessPolicy) -> Audience? {
        policy.rules.compactMap { rule in SitePath(rule.path).map { ($0.folded, rule.audience) } }
            .filter { path.folded.starts(with: $0.0) }
            .max { $0.0.count < $1.0.count }?.1
    }

    static func sitePath(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        guard let path = SitePath(text) else { return }
        let folded = path.folded
        expect(folded.first == 47 && folded.last == 47, "slashes around it: \(text)")
        expect(!folded.contains { $0 < 32 || (65...90).contains($0) }, "lower case: \(text)")
        expect(!folded.contains { "%?#;\\".utf8.contains($0) || $0 == 127 }, "plain: \(text)")
        let segments = folded.dropFirst().dropLast().split(
            separator: 47,
            omittingEmptySubsequences: false
        )
        for segment in segments where folded.count > 1 {
            let isName = !segment.isEmpty && segment != [46] && segment != [46, 46]
            expect(isName, "no dots and no double slash: \(text)")
        }
        let application = ApplicationPath(text)
        let isSame = application?.isWhole == true && application?.certain == folded
        expect(isSame, "the same path for an application: \(text)")
        let again = SitePath(String(decoding: folded, as: UTF8.self))
        // The slash at the end may be the one that is too many.
        let isLongest = folded.count > SitePath.maximumLength
        let isDeepest = segments.count >= SitePath.maximumSegments
        expect(again == path || isLongest || isDeepest, "folded once: \(text)")
        // nginx and a browser come to the same path.
        let target = BrowserURL(bytes, base: "https://a.example")
        let isHere = target?.origin == "https://a.example"
        expect(isHere || text.utf8.first == 32, "a path of this site: \(text)")
        // Encoded and decoded again it is the same path.
        let encoded = PercentEncoding.encode(text)
        let decoded = PercentEncoding.decode(encoded)
        expect(decoded.map { Array($0.utf8) } == Array(text.utf8), "decoded: \(text)")
    }

    // MARK: Redis

    static func redisReply(_ bytes: [UInt8]) {
        let chunk = 1 + Int(bytes.first ?? 0) % 64
        let content = bytes.dropFirst()
        let (whole, isWhole) = replies(content, by: max(1, content.count))
        let (parts, isPart) = replies(content, by: chunk)
        expect(whole == parts && isWhole == isPart, "the size of packets changes nothing")
    }

    /// - Returns: the replies, and whether the bytes are in Redis's protocol.
    private static func replies(
        _ bytes: ArraySlice<UInt8>,
        by count: Int
    ) -> ([RedisReply], Bool) {
        var reader = RedisReplyReader()
        var replies: [RedisReply] = []
        var rest = bytes
        do throws(RedisError) {
            while !rest.isEmpty {
                reader.append(rest.prefix(count))
                rest = rest.dropFirst(count)
                while let reply = try reader.next() { replies.append(reply) }
            }
        } catch { return (replies, false) }
        return (replies, true)
    }
}

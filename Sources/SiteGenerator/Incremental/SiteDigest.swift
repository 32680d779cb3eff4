import OpenSSL

/// A digest of everything but the listed files and the time that decides what a release contains,
/// and which findings are shown.
enum SiteDigest {
    /// - Parameter tools: those that are known.
    /// - Returns: `nil` if it is not known.
    static func bytes(
        _ sources: SiteSources,
        _ options: BuildOptions,
        _ cache: BuildCache,
        _ tools: ToolIdentities
    ) -> [UInt8]? {
        let checks = options.checks
        if checks.writesBaseline || checks.externalLinks != nil { return nil }
        guard let commit = sources.commit else { return nil }
        var key = OutputKey(cache.identity)
        key.add(commit)
        key.add(sources.folders.text)
        key.add(sources.folders.source)
        key.add(sources.folders.base)
        key.add(sources.folders.configuration.baseURL ?? "")
        key.add(sources.templates.digest)
        key.add(sources.tree.ignoredDigest)
        key.add(tools.text)
        for flag in [
            options.isLenient, options.allowsEmpty, options.compresses, options.asksGit,
            checks.isStrict,
        ] { key.add(flag ? 1 : 0) }
        for reason in Page.UnpublishedReason.allCases {
            key.add(options.included.contains(reason) ? 1 : 0)
        }
        for rule in checks.shownRules.map(\.rawValue).sorted() { key.add(rule) }
        if let path = checks.baseline {
            // Read before the findings are filtered: if it changes meanwhile, the digest is that of
            // another baseline, and the next build compares again.
            guard let bytes = sources.baseline else { return nil }
            key.add(path)
            key.add(bytes)
        }
        return key.digest
    }
}

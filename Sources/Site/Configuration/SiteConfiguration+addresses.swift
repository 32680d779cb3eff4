import Settings

/// The addresses that lead away from a page, each refused if it is of another form.
extension SiteConfiguration {
    /// The URL of the site, for files that need absolute URLs: feed, sitemap and robots.txt.
    static func baseURL(_ root: SettingsTable) -> String? {
        guard let text = root.string("base_url") else { return nil }
        if let url = baseURL(text) { return url }
        root.report("'base_url' is '\(text)'; \(ruleOfBaseURL(text))", at: "base_url")
        return nil
    }

    static func editURL(_ root: SettingsTable) -> String? {
        guard let url = root.string("edit_url") else { return nil }
        guard url.hasPrefix("https://") || url.hasPrefix("http://"), url.contains("{path}") else {
            let message = "'edit_url' is '\(url)'; it must be a URL with '{path}' in it"
            root.report(message, at: "edit_url")
            return nil
        }
        return url
    }

    /// Nothing else, because it becomes the target of a link.
    static func contact(_ root: SettingsTable) -> String? {
        guard let contact = root.string("contact") else { return nil }
        guard isMailAddress(contact) || contact.hasPrefix("https://") && isPlain(contact) else {
            root.report(
                "'contact' is '\(contact)'; it must be an e-mail address or a URL with https",
                at: "contact"
            )
            return nil
        }
        return contact
    }

    package static func isMailAddress(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
        return parts.count == 2 && !parts.contains(where: \.isEmpty) && !text.contains(":")
            && isPlain(text)
    }

    /// The address in `Ada <ada@example.com>`, or which the text is.
    package static func mailAddress(in text: String) -> String? {
        let open = text.hasSuffix(">") ? text.lastIndex(of: "<") : nil
        let address = open.map { String(text[text.index(after: $0)...].dropLast()) } ?? text
        return isMailAddress(address) ? address : nil
    }

    private static func isPlain(_ text: String) -> Bool {
        text.utf8.allSatisfy { $0 > 32 && !"\"'<>?&".utf8.contains($0) }
    }
}

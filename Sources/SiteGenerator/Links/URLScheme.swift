import Diagnostics

/// The schemes of addresses that browsers open, by themselves or by another program.
enum URLScheme {
    /// Registered by IANA or widely used; chat and office programs bring their own.
    private static let known: Set<String> = [
        "about", "bitcoin", "callto", "cid", "dav", "doi", "facetime", "ftp", "ftps", "geo",
        "git", "http", "https", "im", "imap", "info", "ipp", "irc", "ircs", "jetbrains", "ldap",
        "ldaps", "magnet", "mailto", "maps", "matrix", "message", "mid", "mms", "ms-access",
        "ms-excel", "ms-infopath", "ms-outlook", "ms-powerpoint", "ms-project",
        "ms-publisher", "ms-visio", "ms-word", "msteams", "news",
        "nntp", "notion", "obsidian", "onenote", "openid", "rdp", "rtsp", "sftp", "sgnl", "sip",
        "sips", "skype", "slack", "smb", "sms", "spotify", "ssh", "steam", "svn", "svn+ssh",
        "git+ssh", "tel", "telnet", "tg", "urn", "vnc", "vscode", "vscode-insiders", "webcal",
        "whatsapp", "ws", "wss", "xmpp", "zoommtg", "zoomus",
    ]

    /// - Parameter name: in lower case, without its colon.
    static func isKnown(_ name: String) -> Bool {
        known.contains(name) || name.hasPrefix("web+")
    }

    /// What to tell an author of a scheme that is not known.
    ///
    /// - Parameter name: with its colon.
    static func advice(_ name: String) -> String {
        if name.utf8.count == 2 { return "looks like a Windows drive" }
        if name == "xref:" { return "is a cross-reference of DocFX" }
        let hint = NearestName.hint(
            String(name.dropLast()),
            in: ["https", "http", "mailto", "tel"]
        )
        return "is a scheme that browsers do not know\(hint)"
    }
}

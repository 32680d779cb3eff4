import Diagnostics

/// The URL schemes that browsers open, by themselves or in another program.
enum URLScheme {
    /// Registered by IANA or widely used, including those of chat and office programs.
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

    /// What the message says about an unknown scheme.
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

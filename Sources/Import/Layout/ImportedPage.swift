import MarkdownWriting
import OpenSSL

/// A page as the other system had it, without its text.
struct ImportedPage {
    let title: String
    /// What stays when the page is moved; letters and digits, or empty.
    var id = ""
    /// The number of the page above it; it is smaller than the page's own.
    var parent: Int?
    /// Addresses that the page had.
    var aliases: [String] = []
    var tags: [String] = []
    /// The day of the last change, `2026-11-22`.
    var changed = ""
    /// Who may read the page and all below it: only who is in each of these.
    var restrictions: [Restriction] = []
    var attachments: [Attachment] = []
    var isListing = false

    init(title: String) { self.title = title.words.isEmpty ? "Untitled" : title.words }
}

/// A file of a page.
struct Attachment {
    let name: String
    /// Below the source folder.
    let path: String
}

/// Readers as the other system named them.
struct Restriction: Hashable {
    var groups: Set<String> = []
    /// Their names by id; two people may have the same name.
    var users: [String: String] = [:]

    var description: String {
        let names =
            groups.sorted().map { "group '\($0.words)'" }
            + users.values.sorted().map { "user '\($0.words)'" }
        return names.isEmpty ? "nobody" : names.joined(separator: ", ")
    }

    /// The digits of a digest of who may read: the same in each import, and without a name.
    static func digest(_ chain: [Restriction]) -> String {
        // Lengths, so that no name ends another one.
        let text = chain.map { restriction in
            let names =
                restriction.groups.sorted().map { "g\($0.utf8.count):\($0)" }
                + restriction.users.keys.sorted().map { "u\($0.utf8.count):\($0)" }
            return names.joined() + ";"
        }
        return Digest.hexadecimal(Digest.sha256(Array(text.joined().utf8)).prefix(8))
    }
}

/// What an importer has read: pages in the order of their navigation, parents first.
struct ImportedSite {
    var title: String
    var pages: [ImportedPage]
    /// Who may read the whole site, where the other system limits that.
    var readers: Restriction?
    /// The page that becomes the site's first; a list of pages without one.
    var home: Int?
    /// What everybody must know who publishes the site.
    var warnings: [String] = []
}

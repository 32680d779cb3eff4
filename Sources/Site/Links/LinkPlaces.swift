import SourceFolder
import Synchronization

/// Finds what is at a path of the site.
final class LinkPlaces: Sendable {
    enum Place: Equatable {
        /// A page, by its index.
        case page(Int)
        case asset(String)
        /// A list, a feed, an alias.
        case generated(String)
        /// A page of siteauth.
        case account
        case unpublished(UnpublishedReason)
    }

    private let site: Site
    private let generated: Set<String>
    /// The pages by addresses that other tools would give them, made for the first link to one.
    private let others = Mutex<[String: [Int]]?>(nil)

    /// - Parameter generated: URLs of generated files.
    init(_ site: Site, generated: Set<String>) {
        self.site = site
        self.generated = generated
    }

    /// What a path names: a file of the source folder, or a URL without its leading slash.
    func place(_ path: String) -> Place? {
        if let page = page(path) { return .page(page) }
        if let url = site.asset(at: "/" + path) { return .asset(url) }
        let url = "/" + path
        for name in [url, url + "/", path] {
            if let index = generated.firstIndex(of: name) { return .generated(generated[index]) }
        }
        if ["auth/account", "auth/sign-in", "auth/sign-out"].contains(path) { return .account }
        return site.unpublishedReason(of: path).map { .unpublished($0) }
    }

    private func page(_ path: String) -> Int? {
        if let page = site.index(ofPageIn: path) { return page }
        // mdBook, Jekyll and others link to `a.html` for `a.md`; an asset `a.html` comes first.
        if path.hasSuffix(".html"), site.asset(at: "/" + path) == nil,
            let page = site.index(ofPageIn: path.dropLast(5) + ".md")
        {
            return page
        }
        let path = SitePathName.withoutEscapes(path)
        let url = path.hasSuffix("/") ? "/\(path)" : "/\(path)/"
        return site.index(ofPageAt: path == "/" ? "/" : url)
    }

    /// What another tool finds at a path where nothing is; of several pages, the first is meant.
    func places(ofOtherTools path: String) -> [Place] {
        let name = path.split(separator: "/").last ?? ""
        // 'index' alone is an address, and so is 'index.html'.
        let isAddress = path.hasSuffix(".html") || !name.contains(".") && SitePathName.isIndex(path)
        let isPage = isAddress || SitePathName.isPage(path)
        let url = isPage ? SitePathName.url(ofPage: path) : path
        if isPage, let page = site.index(ofPageAt: url) { return [.page(page)] }
        // The list of a folder.
        if isAddress, SitePathName.isIndex(path), generated.contains(url) {
            return [.generated(url)]
        }
        // Azure DevOps writes the spaces of a page's name as hyphens.
        if path.utf8.contains(0x20) {
            let hyphenated = String(path.map { $0 == " " ? "-" : $0 })
            if let page = page(hyphenated) { return [.page(page)] }
        }
        // VitePress, Astro, Hugo and Docusaurus publish these folders without their names.
        for folder in ["public", "static"] {
            if let url = site.asset(at: "/\(folder)/\(path)") { return [.asset(url)] }
        }
        let known = others.withLock { others in
            let made = others ?? otherAddresses()
            others = made
            return made
        }
        return (known[Page.unnumbered(isPage ? Self.withoutEnding(path) : path)] ?? [])
            .map { .page($0) }
    }

    private static func withoutEnding(_ path: String) -> String {
        String(SitePathName.url(ofPage: path).dropFirst().dropLast())
    }

    /// Docusaurus takes numbers off names, and an `id` for the last part; Hugo publishes names in
    /// small letters, and Starlight as the ids of headings are made.
    private func otherAddresses() -> [String: [Int]] {
        var addresses: [String: [Int]] = [:]
        for (index, page) in site.pages.enumerated() {
            let own = String(page.url.dropFirst().dropLast())
            var other = Page.unnumbered(own)
            if let id = page.frontMatter.id {
                let folder = other.split(separator: "/").dropLast().map(String.init)
                other = (folder + [id]).joined(separator: "/")
            }
            let slug = own.lowercased().compactMap { character in
                let stays = character.isLetter || character.isNumber || "-_/".contains(character)
                return stays ? character : character == " " ? "-" : nil
            }
            for other in Set([other, own.lowercased(), String(slug)]) where other != own {
                addresses[other, default: []].append(index)
            }
        }
        return addresses
    }
}

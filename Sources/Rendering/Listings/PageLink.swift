import Markdown
import Site
import SourceFolder

/// A link to another page of the site.
package struct PageLink: Sendable {
    /// The index of the page in the site.
    let page: Int
    /// What readers click.
    let html: [UInt8]

    /// The links of a page.
    ///
    /// - Parameter urls: the resolved URLs of the document's references.
    static func all(in document: RenderedDocument, urls: [String], _ site: Site) -> [PageLink] {
        let html = document.html
        return zip(document.references, urls).compactMap { reference, url in
            guard [.link, .wikiLink, .htmlLink].contains(reference.kind), url.hasPrefix("/"),
                let path = SitePathName.decode(url.prefix { $0 != "#" && $0 != "?" }),
                let page = site.index(ofPageAt: path),
                let start = html[reference.offset...].firstIndex(of: UInt8(ascii: ">"))
            else { return nil }
            // A page with a link that is never closed must not take minutes.
            let rest = html[start...].dropFirst().prefix(longest)
            guard let end = rest.firstRange(of: endTag)?.lowerBound else { return nil }
            return PageLink(page: page, html: Array(rest[..<end]))
        }
    }

    private static let endTag = Array("</a>".utf8)

    /// In bytes; what is longer is no name of a page.
    private static let longest = 400
}

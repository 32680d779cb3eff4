import Access
import Testing

@testable import SiteGenerator

@Suite struct NavigationTests {
    private static func tree(pages count: Int) -> NavigationTree {
        let configuration = SiteConfiguration()
        let pages = (0..<count).map { number in
            // Padded, so that names sort as numbers do.
            let name = String(String(number + 10_000).dropFirst())
            let file = SourceTree.File(path: "\(name).md", displayPath: "", diskPath: "/dev/null")
            return Page(
                reading: file,
                configuration,
                BuildOptions(now: 0),
                Incremental(configuration, output: nil)
            )
        }
        let site = Site(configuration, folder: "site", pages: pages, assets: [])
        return NavigationTree(site, PageAccess(site, Redirects(site)))
    }

    @Test func `a flat folder does not grow with the square of its pages`() {
        let navigation = Navigation(Self.tree(pages: 1000))
        let lengths = [0, 199, 200, 500, 999].map { number in
            navigation.list(for: "/\(String(number + 10_000).dropFirst())/", .signedIn).utf8.count
        }
        #expect(lengths.allSatisfy { $0 < 200 * 60 })
        let middle = navigation.list(for: "/0500/", .signedIn)
        #expect(middle.contains("<li><a href=\"/0399/\">… 400 earlier</a></li>"))
        #expect(middle.contains("<a href=\"/0500/\" aria-current=\"page\">0500</a>"))
        #expect(middle.contains("<li><a href=\"/0600/\">… 400 more</a></li>"))
        #expect(!middle.contains("/0398/"))
    }

    @Test func `nobody outside sees a list of what is inside`() {
        let navigation = Navigation(Self.tree(pages: 3))
        #expect(navigation.list(for: "/0001/", .public).isEmpty)
        #expect(navigation.view(for: .public).order.isEmpty)
        #expect(navigation.neighbours(of: "/0001/", .public).next == nil)
        // The page of the site's root is a list here, and comes first.
        #expect(
            navigation.view(for: .signedIn).order.map(\.url) == ["/", "/0000/", "/0001/", "/0002/"]
        )
    }
}

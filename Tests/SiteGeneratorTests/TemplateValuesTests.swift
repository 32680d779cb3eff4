import Access
import Fixtures
import Foundation
import Testing

@testable import SiteGenerator

/// Whatever a template can show of a page is in the key of the page.
@Suite struct TemplateValuesTests {
    /// What a slot may hold, beside nothing.
    private static let variants: [@Sendable (TemplateSlot, inout TemplateValues) -> Void] = [
        { $1.set($0, false) }, { $1.set($0, true) }, { $1.set($0, "") }, { $1.set($0, "a") },
        { $1.set($0, "<\"b\">") }, { $1.set($0, "bc") },
    ]

    private static func digest(_ change: (inout TemplateValues) -> Void) -> [UInt8] {
        var values = TemplateValues()
        change(&values)
        var key = OutputKey()
        values.add(to: &key)
        return key.digest
    }

    @Test func `each value of each slot has a key of its own`() {
        // Two texts beside the slot, so that a text cannot move from one slot to another.
        func digest(_ change: (inout TemplateValues) -> Void) -> [UInt8] {
            Self.digest { values in
                values.set(.title, "a")
                change(&values)
                values.set(.url, "a")
            }
        }
        var keys: Set<[UInt8]> = [digest { _ in }]
        var count = 1
        for slot in TemplateSlot.allCases where slot != .title && slot != .url {
            for variant in Self.variants {
                keys.insert(digest { variant(slot, &$0) })
                count += 1
            }
        }
        for params in [
            [:], ["a": ""], ["a": "b"], ["b": "b"], ["a": true], ["a": false], ["a": ["b"]],
            ["a": "b", "c": "d"], ["a": TemplateContext(["b": "c"])],
        ] as [[String: any Sendable]] {
            keys.insert(digest { $0.params = TemplateContext(params) })
            count += 1
        }
        #expect(keys.count == count)
        #expect(count > 6 * (TemplateSlot.allCases.count - 2))
        // Three bits for each.
        #expect(TemplateSlot.allCases.count <= 128 / 3)
    }

    @Test func `a template shows of each slot what Mustache shows`() throws {
        let objects: Set<TemplateSlot> = [.previous, .next]
        let form = TemplateSlot.allCases.filter { !objects.contains($0) }.map { slot in
            let (object, name) = slot.path
            let shown = "{{name}}|{{{name}}}{{#name}}+{{/name}}{{^name}}-{{/name}}"
                .replacing("name", with: name)
            return object.map { "{{#\($0)}}\(shown){{/\($0)}}{{^\($0)}}none{{/\($0)}}" } ?? shown
        }.joined(separator: "\n")
        let fast = try CompiledTemplateTests.templates(["form": form])
        let slow = try CompiledTemplateTests.templates([
            "form": form, "other": "{{>*title}}",
        ])
        var chance = RandomSite.Chance(state: 7)
        for _ in 0..<300 {
            var values = TemplateValues()
            for slot in TemplateSlot.allCases where slot != .navigation && slot != .content {
                if Bool.random(using: &chance) { continue }
                let number =
                    objects.contains(slot)
                    ? 0 : Int.random(in: Self.variants.indices, using: &chance)
                Self.variants[number](slot, &values)
            }
            let shown = fast.page("form", values).bytes
            let isRight = shown == slow.page("form", values).bytes
            #expect(isRight)
        }
    }

    @Test func `the list, and what is marked in it, are in the key`() async throws {
        func lists(_ title: String) throws -> [MarkedList] {
            let source = try TemporarySite([
                "a.md": "# \(title)\n", "b.md": "", "c.md": "---\nunlisted: true\n---\n",
            ])
            let tree = SourceTree(listing: source.folder.path, displayFolder: "site")
            let configuration = SiteConfiguration()
            let pages = tree.files.map {
                Page(
                    reading: $0,
                    configuration,
                    BuildOptions(now: 0),
                    BuildCache(configuration, output: nil)
                )
            }
            let site = Site(configuration, folder: "site", pages: pages, assets: [])
            let navigation = Navigation(NavigationTree(site, PageAccess(site, Redirects(site))))
            return ["/a/", "/b/", "/c/"].map { navigation.place(of: $0, .signedIn).list }
        }
        let all = try lists("One") + lists("Two")
        #expect(all.map(\.count).min() ?? 0 > 50)
        #expect(Set(all.map { list in Self.digest { $0.set(list) } }).count == 6)
        // The list itself is made once.
        #expect(all[0].list === all[1].list && all[1].list === all[2].list)
        #expect(all[2].mark == nil)
    }

    @Test func `every input of a page is in its key`() throws {
        let source = try TemporarySite([
            "a.md": "# A\n\n```swift\nx\n```\n", "b.md": "# B\n\n```swift\nx\n```\n",
            "c.md": "---\ntoc: false\n---\n# A\n\n```swift\nx\n```\n",
        ])
        let tree = SourceTree(listing: source.folder.path, displayFolder: "site")
        var configuration = SiteConfiguration()
        func key(
            _ index: Int = 0,
            urls: [String] = ["a"],
            template: String = "page",
            title: String = "A",
            level: Int? = nil,
            frame: [UInt8] = [1],
            pygments: String? = "h"
        ) -> [UInt8]? {
            var tools = ToolIdentities()
            if let pygments { tools.set(.pygments, pygments) }
            let page = Page(
                reading: tree.files[index],
                configuration,
                BuildOptions(now: 0),
                BuildCache(configuration, output: nil)
            )
            var values = TemplateValues()
            values.set(.title, title)
            return RenderJob(
                page,
                urls: urls,
                template,
                values,
                titleLevel: level,
                look: frame,
                configuration,
                BuildIdentity(configuration)
            ).key(tools: tools)
        }
        #expect(key() == key() && key(pygments: nil) == nil)
        var keys = [
            key(), key(1), key(2), key(urls: []), key(urls: ["b"]), key(urls: ["a", ""]),
            key(template: "other"), key(title: "B"), key(level: 2), key(frame: [2]),
            key(pygments: "i"),
        ]
        configuration.highlights.toggle()
        keys.append(key())
        configuration.highlights.toggle()
        configuration.markdown.contentsDepth += 1
        keys.append(key())
        #expect(Set(keys).count == 13)
    }
}

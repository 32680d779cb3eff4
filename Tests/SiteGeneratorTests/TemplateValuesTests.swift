import Testing

@testable import SiteGenerator

/// What a template shows of a page.
@Suite struct TemplateValuesTests {
    /// What a slot may hold, beside nothing.
    private static let variants: [@Sendable (TemplateSlot, inout TemplateValues) -> Void] = [
        { $1.set($0, false) }, { $1.set($0, true) }, { $1.set($0, "") }, { $1.set($0, "a") },
        { $1.set($0, "<\"b\">") }, { $1.set($0, "bc") },
    ]

    @Test func `a template shows of each slot what Mustache shows`() throws {
        // Three bits for each.
        #expect(TemplateSlot.allCases.count <= 128 / 3)
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
}

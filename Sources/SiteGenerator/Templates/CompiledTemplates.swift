import Synchronization

/// The templates of a site, compiled for the kinds of values that its pages have.
final class CompiledTemplates: Sendable {
    private struct Key: Hashable {
        let template: String
        let kinds: UInt128
        /// The signature of `params`.
        let params: String
    }

    private let templates: TemplateSet
    /// The values that all pages have.
    private let site: TemplateContext
    private let compiled = Mutex<[Key: CompiledTemplate]>([:])
    /// A limit, because `params` in front matter can produce any number of signatures.
    private static let limit = 1000

    /// - Parameter site: the values that all pages have.
    init(_ templates: TemplateSet, site: TemplateContext = TemplateContext()) {
        self.templates = templates
        self.site = site
    }

    /// Renders a page, and returns the range of its content, if known.
    ///
    /// - Precondition: ``TemplateSet/has(_:)`` is true for the name.
    func page(
        _ template: String,
        _ values: TemplateValues,
        content: FilledDocument? = nil
    ) -> (bytes: [UInt8], content: Range<Int>?) {
        guard !templates.computes,
            let params = ContextSignature(
                values.params ?? TemplateContext(),
                first: TemplateSlot.allCases.count
            ), let compiled = compiled(template, values, params)
        else { return (slowly(template, values, content), nil) }
        return compiled.page(values, parameters: params.texts, content: content)
    }

    private func compiled(
        _ template: String,
        _ values: TemplateValues,
        _ params: ContextSignature
    ) -> CompiledTemplate? {
        let key = Key(
            template: template,
            kinds: values.kinds,
            params: values.params == nil ? "" : "{\(params.key)"
        )
        if let known = compiled.withLock({ $0[key] }) { return known }
        let first = TemplateSlot.allCases.count + params.texts.count
        guard let site = ContextSignature(site, first: first) else { return nil }
        var context = site.context
        values.add(to: &context) { CompiledTemplate.placeholder($0.rawValue) }
        if values.params != nil { context["params"] = params.context }
        guard
            let made = CompiledTemplate(
                templates.render(template, context),
                parameters: params.texts.count,
                constants: site.texts
            )
        else { return nil }
        compiled.withLock { compiled in
            if compiled.count < Self.limit { compiled[key] = made }
        }
        return made
    }

    /// Renders by Mustache alone.
    private func slowly(
        _ template: String,
        _ values: TemplateValues,
        _ content: FilledDocument?
    ) -> [UInt8] {
        var context = site
        values.add(to: &context) { slot in
            var text: [UInt8] = []
            if slot == .content {
                content?.append(to: &text)
            } else {
                values.append(slot, to: &text)
            }
            return String(decoding: text, as: UTF8.self)
        }
        if let params = values.params { context["params"] = params }
        return templates.render(template, context)
    }
}

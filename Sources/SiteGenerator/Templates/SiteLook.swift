import Diagnostics

/// The templates and the theme of a site.
struct SiteLook: Sendable {
    let templates: TemplateSet
    let theme: Theme
    let diagnostics: [Diagnostic]

    init(_ sources: SiteSources) {
        let configuration = sources.folders.configuration
        let files = sources.templates
        templates = TemplateSet(files, configuration.texts, configuration.markdown)
        theme = Theme(
            files,
            configuration.theme,
            configuration.texts,
            source: sources.tree.files
        )
        let found = files.diagnostics + templates.diagnostics + theme.diagnostics
        diagnostics = found.named(.template)
    }
}

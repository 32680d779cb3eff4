import Diagnostics
import Rules
import Site
import SourceFolder

/// The templates and the theme of a site.
package struct SiteLook: Sendable {
    let templates: TemplateSet
    package let theme: Theme
    package let diagnostics: [Diagnostic]

    /// - Returns: also what is wrong with the templates that pages name.
    package func diagnostics(_ model: SiteModel, _ folders: SiteFolders) -> [Diagnostic] {
        diagnostics + templates.diagnostics(for: model.site.pages, folders.templatesName)
    }

    package init(_ sources: SiteSources, _ options: BuildOptions) {
        let configuration = sources.folders.configuration
        let all = TemplateSources(sources.folders.templatesTree)
        let files = options.printsPages ? all.printing : all
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

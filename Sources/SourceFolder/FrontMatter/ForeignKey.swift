/// Keys of other tools that have no effect here, and could not be a slip of one that has.
///
/// They say how a page looks, who wrote it, or what a program does with it. Each is a warning, once
/// for the site; every other unknown key is an error, because it may be a misspelt one.
enum ForeignKey {
    /// In lower case.
    static let names: Set<String> = Set(
        [
            // GitBook, Notion, Confluence.
            "icon cover covery coverheight",
            // Obsidian and its plug-ins.
            "cssclass cssclasses banner banner_x banner_y banner_icon sticker kanban-plugin",
            "excalidraw-plugin linter-yaml-title-alias",
            // Docusaurus.
            "custom_edit_url displayed_sidebar hide_table_of_contents hide_title last_update",
            "pagination_label pagination_next pagination_prev parse_number_prefixes",
            "sidebar_class_name sidebar_custom_props toc_max_heading_level toc_min_heading_level",
            // VitePress and Starlight.
            "editlink editurl features footer hero lastupdated navbar outline pageclass",
            "tableofcontents titletemplate",
            // Hugo, Jekyll and their themes.
            "author authors bookcollapsesection bookflatsection bootoc categories category comments",
            "featured_image has_toc image images keywords katex mathjax mermaid nav_fold_children",
            "thumbnail",
        ].flatMap { $0.split(separator: " ").map(String.init) }
    )

    /// The parts of a page that GitBook's `layout` shows or leaves out.
    static func isPartOfLayout(_ entry: FrontMatterEntry) -> Bool {
        let parts = [
            "title", "description", "tableofcontents", "outline", "pagination", "metadata",
        ]
        let inner = entry.value.tables.flatMap(\.self)
        if entry.key == "width" { return inner.isEmpty }
        return parts.contains(entry.key.lowercased()) && inner.allSatisfy { $0.key == "visible" }
    }
}

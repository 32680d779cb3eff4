import Rules

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
            "editlink editurl features footer head hero lastupdated navbar next outline pageclass",
            "prev tableofcontents titletemplate",
            // Material for MkDocs; Just the Docs.
            "status grand_parent has_children parent",
            // Hugo, Jekyll and their themes.
            "author authors bookcollapsesection bookflatsection bootoc categories category comments",
            "featured_image has_toc image images keywords katex mathjax mermaid nav_fold_children",
            "thumbnail",
        ].flatMap { $0.split(separator: " ").map(String.init) }
    )

    /// Whether an entry of GitBook's `layout` says how a part of the page looks.
    ///
    /// What may be meant to hide the page, or others, is no decoration.
    static func isPartOfLayout(_ entry: FrontMatterEntry) -> Bool {
        let key = entry.key.lowercased()
        let inner = entry.value.tables.flatMap(\.self)
        if !inner.isEmpty {
            return !key.hasPrefix("page")
                && inner.allSatisfy { $0.key == "visible" || isPartOfLayout($0) }
        }
        let isGuarding = FrontMatter.key(named: key)?.isGuarding ?? false
        return !isGuarding && ForeignAccessKey.message(for: entry) == nil
            && Rule.unknownKey(key) == .unknownKey
    }
}

import Markdown
import Settings
import SourceFolder

extension SiteConfiguration {
    public enum SignInLanguage: String, Sendable, CaseIterable {
        /// That of the site.
        case site
        /// The one that the reader's browser prefers of those that sitegen has, otherwise that of
        /// the site.
        case browser
    }

    /// Sets what the interface says, and what pages say that are not their authors' words.
    package mutating func use(_ texts: InterfaceTexts) {
        self.texts = texts
        markdown.texts = Self.ownTexts(texts)
    }

    private static func ownTexts(_ texts: InterfaceTexts) -> [MarkdownOptions.Text] {
        MarkdownOptions.ownTexts.map { .init(english: $0, text: texts[$0]) }
    }

    /// The language of a page, if it is another one than the site's.
    package func language(of page: FrontMatter) -> String? {
        page.language.flatMap { $0.lowercased() == language.lowercased() ? nil : $0 }
    }

    /// The options for a page: what its text says that is not its author's is in its language, too.
    func markdown(for page: FrontMatter) -> MarkdownOptions {
        var options = markdown
        options.opening = page.description == nil
        if let language = language(of: page) { options.texts = Self.ownTexts(.known(language)) }
        return options
    }

    mutating func readLanguage(_ root: SettingsTable) {
        signInLanguage = Self.oneOf(SignInLanguage.self, "sign_in_language", root) ?? signInLanguage
        guard let tag = root.string("language") else { return }
        if LanguageTag.isValid(tag) { return language = tag }
        root.report(LanguageTag.mistake("language", tag), at: "language")
    }
}

import Jansson
import Languages

/// What the pages of siteauth say: the file `auth/texts.json` of a release.
package enum ReaderTexts {
    package static let path = "auth/texts.json"

    package static func json(_ configuration: SiteConfiguration) -> String {
        var languages = [language(configuration.language, configuration.texts)]
        if configuration.signInLanguage == .browser {
            for tag in LanguageFiles.tags where tag != configuration.texts.language {
                languages.append(language(tag, InterfaceTexts(ofLanguage: tag)))
            }
        }
        // siteauth shows titles to members only, and nginx serves no file of this folder.
        let titles = configuration.groupTitles.sorted { $0.key < $1.key }
            .reduce(into: JSON.Members()) { $0[$1.key] = .string($1.value) }
        let file: JSON = ["languages": .array(languages), "groups": .object(titles)]
        return file.text + "\n"
    }

    private static func language(_ tag: String, _ texts: InterfaceTexts) -> JSON {
        [
            "tag": .string(tag),
            "direction": .string(TextDirection(ofLanguage: tag).rawValue),
            "dates": texts.dates,
            "texts": texts.json(),
        ]
    }
}

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
        let file: JSON = ["languages": .array(languages)]
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

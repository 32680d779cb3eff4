import Testing

@testable import SiteGenerator

/// What depends on the language that `sitegen.toml` names.
@Suite struct LanguageTests {
    @Test(arguments: [
        ("en", "ltr"), ("he", "rtl"), ("ar-EG", "rtl"), ("FA", "rtl"), ("az-Arab-IR", "rtl"),
        ("ur-Latn", "ltr"), ("de-CH-1996", "ltr"), ("ks-Deva", "ltr"), ("", "ltr"),
    ])
    func `a page is written in the direction of its language`(language: String, direction: String) {
        #expect(TextDirection(ofLanguage: language).rawValue == direction)
    }

    @Test(arguments: [
        ("2026-11-05", "en", "5 November 2026"), ("2026-01-31", "en-GB", "31 January 2026"),
        ("2026-11-05", "de", "2026-11-05"), ("2026-13-05", "en", "2026-13-05"), ("", "en", ""),
    ])
    func `a day is written as people do`(day: String, language: String, words: String) {
        #expect(CalendarDay.words(day, language: language) == words)
    }
}

import Access
import HTTPTypes
import Jansson
import Site
import SourceFolder

/// The menu of a preview in which an author chooses as whom to see the site.
///
/// The browser keeps the choice in a cookie. A preview that was started with `--as` has no menu: who
/// starts it for others decides what they see.
struct ReaderMenu {
    private let cookie: String
    /// The values of `--as` that are offered, after the one for all pages.
    private let choices: [String]
    private let titles: [String: String]

    init(_ groups: [GroupDefinition], titles: [String: String], at authority: LoopbackAuthority) {
        cookie = "preview-as-\(authority.port)"
        choices = ["public", "signed-in"] + groups.map(\.name)
        self.titles = titles
    }

    /// The answer of a preview without a menu.
    static let none = PreviewAnswer(.ok, Array("{}".utf8), type: ContentType.json)

    /// What the request's cookie has chosen, empty for all pages.
    private func choice(of request: HTTPRequest) -> String {
        request.cookies(named: cookie).map(String.init).first(where: choices.contains) ?? ""
    }

    func reader(of request: HTTPRequest) -> Viewer {
        let choice = choice(of: request)
        if choice.isEmpty { return .everything }
        // Whatever is offered can be read.
        return (try? Viewer(choice, groups: choices)) ?? .visitor
    }

    /// What the preview's script shows.
    func answer(to request: HTTPRequest) -> PreviewAnswer {
        let options = [""] + choices
        let text = JSON.object([
            "cookie": .string(cookie), "chosen": .string(choice(of: request)),
            "options": .array(
                options.map { option in
                    let label =
                        switch option {
                        case "": "all pages"
                        case "public": "a visitor"
                        case "signed-in": "a reader in no group"
                        default: titles[option] ?? option
                        }
                    return ["value": .string(option), "label": .string(label)]
                }
            ),
        ]).text
        return PreviewAnswer(.ok, Array(text.utf8), type: ContentType.json)
    }
}

import Bytes
import CodeBlocks
import HTML

/// What the named blocks of other tools are here: a row for each meaning, with the names that tools
/// give it in `:::name`, `{% name %}`, `{{< name >}}` and `<Name>`.
///
/// The kinds of ``Admonition`` are names of boxes, too.
enum NamedBlock {
    /// A box that stands out; its kind is its name or stands in an attribute.
    case box
    /// A box that is folded.
    case details
    case tabs
    case tab
    /// Tabs that are the blocks of code in it.
    case codeGroup
    /// A list whose items are cards.
    case cards
    case figure
    /// A frame, or the end below its caption.
    case frame
    /// A component whose first paragraph is a link.
    case link
    /// An item of a list with numbers.
    case step
    /// Attributes of the block of code in it.
    case code
    /// Nothing but its content.
    case division
    /// A component of MDX or Vue that means nothing here.
    case component

    static func named(_ name: String) -> NamedBlock? {
        names[name] ?? (Admonition.kinds[name] == nil ? nil : .box)
    }

    /// Whether a box with this name needs no other word for its kind.
    static func isKind(_ name: String) -> Bool { names[name] == nil }

    private static let names: [String: NamedBlock] = {
        var names: [String: NamedBlock] = [:]
        for (block, words) in [
            // Starlight, Mintlify; Docsy; Hextra; GitBook and Hugo Book; Relearn.
            (.box, "admonition alert aside callout card hint notice"),
            (.details, "accordion accordion-item collapse details expand spoiler"),
            // GitBook, Hugo Book; Docsy; Sphinx.
            (.tabs, "tabs tabpane tab-set"), (.tab, "tab tab-item"),
            // VitePress, VuePress.
            (.codeGroup, "code-group code-tabs"), (.cards, "cards grid card-grid"),
            (.figure, "figure"), (.frame, "embed file"),
            (.division, "columns column row col steps video"),
            // GitBook, Mintlify.
            (.division, "stepper content-ref"), (.step, "step"), (.code, "code code-tabs-item"),
            // Azure DevOps.
            (.component, "query-table"),
        ] as [(NamedBlock, String)] {
            for word in words.split(separator: " ") { names[String(word)] = block }
        }
        return names
    }()

    /// Where a box has its kind, and a block its title.
    static let kindKeys = ["style", "type", "color", "context"]
    /// What a component without content says to readers.
    static let textKeys = ["title", "text", "label", "subtitle", "description", "caption"]
    /// Where a component leads.
    static let addressKeys = ["href", "to", "link"]

    /// Whether the value of such an attribute is an address, and no expression of JavaScript.
    static func isAddress(_ value: String) -> Bool {
        !value.isEmpty && !value.hasPrefix("{") && !HTMLText.isDangerous(value)
    }

    static let titleKeys = ["title", "header", "label", "name", "summary", "value"]
}

/// An image with a caption, as Hugo writes it: `{{< figure src="a.png" caption="b" >}}`.
struct DialectFigure {
    let source: ArraySlice<UInt8>
    let alternative: ArraySlice<UInt8>
    let caption: ArraySlice<UInt8>
    var look: ImageLook?

    init?(_ attributes: BlockAttributes) {
        guard let source = attributes["src"] ?? attributes.words.first else { return nil }
        self.source = source
        caption = attributes["caption"] ?? attributes["title"] ?? []
        alternative = attributes["alt"] ?? caption
        look = attributes["width"].flatMap { ImageLook(size: String(decoding: $0, as: UTF8.self)) }
    }
}

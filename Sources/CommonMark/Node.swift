import CCommonMark

/// A node of a document, named as the CommonMark specification names it.
@safe public struct Node {
    public enum Kind: Sendable {
        case document, blockQuote, list, item, codeBlock, htmlBlock, paragraph, heading
        case thematicBreak, text, softBreak, lineBreak, code, htmlInline, emphasis, strong
        case link, image, custom

        /// Whether a walk also visits the node when it is left.
        var isContainer: Bool {
            switch self {
            case .codeBlock, .htmlBlock, .thematicBreak, .text, .softBreak, .lineBreak, .code,
                .htmlInline:
                false
            default: true
            }
        }
    }

    private let document: Document
    private let pointer: OpaquePointer

    init(_ document: Document, _ pointer: OpaquePointer) {
        self.document = document
        unsafe self.pointer = unsafe pointer
    }

    public var kind: Kind {
        switch unsafe cmark_node_get_type(pointer) {
        case CMARK_NODE_DOCUMENT: .document
        case CMARK_NODE_BLOCK_QUOTE: .blockQuote
        case CMARK_NODE_LIST: .list
        case CMARK_NODE_ITEM: .item
        case CMARK_NODE_CODE_BLOCK: .codeBlock
        case CMARK_NODE_HTML_BLOCK: .htmlBlock
        case CMARK_NODE_PARAGRAPH: .paragraph
        case CMARK_NODE_HEADING: .heading
        case CMARK_NODE_THEMATIC_BREAK: .thematicBreak
        case CMARK_NODE_TEXT: .text
        case CMARK_NODE_SOFTBREAK: .softBreak
        case CMARK_NODE_LINEBREAK: .lineBreak
        case CMARK_NODE_CODE: .code
        case CMARK_NODE_HTML_INLINE: .htmlInline
        case CMARK_NODE_EMPH: .emphasis
        case CMARK_NODE_STRONG: .strong
        case CMARK_NODE_LINK: .link
        case CMARK_NODE_IMAGE: .image
        default: .custom
        }
    }

    /// Line in the parsed text, from 1.
    ///
    /// libcmark gives a link the line on which it ends; the first child has the first line.
    public var line: Int {
        let line = Int(unsafe cmark_node_get_start_line(pointer))
        guard kind == .link || kind == .image, let child = unsafe cmark_node_first_child(pointer)
        else { return line }
        let first = Int(unsafe cmark_node_get_start_line(child))
        return first > 0 ? min(line, first) : line
    }

    /// Column in bytes, from 1.
    public var column: Int { Int(unsafe cmark_node_get_start_column(pointer)) }

    public var parent: Node? {
        guard let parent = unsafe cmark_node_parent(pointer) else { return nil }
        return unsafe Node(document, parent)
    }

    /// The text of a text, code or HTML node; empty for other kinds.
    public var literal: String { unsafe string(cmark_node_get_literal(pointer)) }

    /// Where a link or an image points.
    public var destination: String { unsafe string(cmark_node_get_url(pointer)) }

    public var headingLevel: Int { Int(unsafe cmark_node_get_heading_level(pointer)) }

    private func string(_ text: UnsafePointer<CChar>?) -> String {
        guard let text = unsafe text else { return "" }
        return unsafe String(cString: text)
    }
}

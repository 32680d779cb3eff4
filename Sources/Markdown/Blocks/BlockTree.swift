/// The blocks of a document: a tree in an array, so that no depth of nesting needs a stack.
final class BlockTree {
    enum Kind {
        case document, blockQuote, list, item, codeBlock, htmlBlock, paragraph, heading
        case thematicBreak, table, footnote
        /// A block of another tool whose content is indented.
        case dialectContainer
        /// A line that begins or ends a block of another tool, or defines an abbreviation.
        case dialectLine
    }

    /// What a block has besides its text, by its kind.
    enum Details {
        case none
        case heading(level: Int, id: String?)
        case list(ListType, isTight: Bool)
        /// - Parameter task: whether the task is done.
        case item(task: Bool?)
        indirect case quote(Callout.Quote)
        /// - Parameter info: the words behind the fence.
        case code(info: String)
        case footnote(label: String)
        indirect case dialect(DialectBlock)
        /// - Parameter index: in ``BlockTree/tables``.
        case table(index: Int)
    }

    enum ListType: Equatable {
        case bullet(UInt8)
        case ordered(delimiter: UInt8, start: Int)
        /// The definitions of a term.
        case definitions
    }

    struct Node {
        let kind: Kind
        /// From 1; columns are in bytes.
        let line: Int
        let column: Int
        var endLine = 0
        var details = Details.none
        /// Of an item and the like: the columns by which its lines are indented.
        var indent = 0
        /// Of a paragraph, a heading or HTML.
        var text = LeafText()
        /// Of code.
        var code: [UInt8] = []
        /// Whether a blank line follows.
        var endsBlank = false
        var parent = -1
        var previous = -1
        var next = -1
        var first = -1
        var last = -1
    }

    let source: SourceText
    let nodes: [Node]
    let tables: [Table]
    let labels: LinkLabels
    let abbreviations: Abbreviations
    /// The labels of the footnotes, in the order of their definitions.
    let footnotes: [String]
    /// The ids that authors gave to headings.
    let headingIDs: [String]

    init(_ parser: consuming BlockParser) {
        source = parser.source
        nodes = parser.nodes
        tables = parser.tables
        labels = parser.labels
        abbreviations = parser.abbreviations
        footnotes = parser.footnotes
        headingIDs = parser.headingIDs
    }

    /// Visits the blocks in the order of the document, those that hold others when entered and when
    /// left.
    func walk(_ visit: (_ block: Block, _ entering: Bool) -> Void) {
        var index = 0
        while true {
            visit(Block(self, index), true)
            if nodes[index].first >= 0 {
                index = nodes[index].first
                continue
            }
            if nodes[index].kind.isContainer { visit(Block(self, index), false) }
            while nodes[index].next < 0 {
                index = nodes[index].parent
                if index < 0 { return }
                visit(Block(self, index), false)
            }
            index = nodes[index].next
        }
    }
}

extension BlockTree.Kind {
    var isContainer: Bool {
        switch self {
        case .document, .blockQuote, .list, .item, .footnote, .dialectContainer: true
        default: false
        }
    }
}

/// A block of a document.
struct Block {
    let tree: BlockTree
    let index: Int

    init(_ tree: BlockTree, _ index: Int) {
        self.tree = tree
        self.index = index
    }

    private var node: BlockTree.Node { _read { yield tree.nodes[index] } }

    private func block(_ index: Int) -> Block? { index < 0 ? nil : Block(tree, index) }

    var kind: BlockTree.Kind { node.kind }
    var line: Int { node.line }
    var column: Int { node.column }
    var endLine: Int { node.endLine }
    var parent: Block? { block(node.parent) }
    var previousSibling: Block? { block(node.previous) }
    var nextSibling: Block? { block(node.next) }
    var text: LeafText { node.text }
    var code: [UInt8] { node.code }
    var details: BlockTree.Details { node.details }

    var isTightList: Bool {
        if case .list(_, isTight: true) = details { true } else { false }
    }

    var dialect: DialectBlock? {
        if case .dialect(let block) = details { block } else { nil }
    }

    var isDefinitionList: Bool {
        if case .list(.definitions, _) = details { true } else { false }
    }

    /// The range of the block, if it is on one line.
    var range: SourceRange {
        let length = tree.source.line(line).count - column + 1
        return SourceRange(line: line, column: column, length: endLine == line ? length : nil)
    }
}

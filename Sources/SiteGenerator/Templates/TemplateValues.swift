/// The values of one page for its template.
///
/// The texts are in one array of bytes, so that a page costs few allocations.
struct TemplateValues: Sendable {
    /// What a slot holds: this, and not its text, decides which parts of a template are shown.
    enum Kind: UInt8 {
        /// An empty text has a kind of its own, because Mustache does not indent it.
        case absent, off, on, empty, text
    }

    /// The kinds of all slots, three bits each.
    private(set) var kinds: UInt128 = 0
    /// The front matter's `params`; `nil` for lists.
    var params: TemplateContext?
    private(set) var navigation: MarkedList?
    private var bytes: [UInt8] = []
    private var ranges = [Range<Int>](repeating: 0..<0, count: TemplateSlot.allCases.count)

    init() { bytes.reserveCapacity(1024) }

    /// The number of bytes of all texts.
    var count: Int { bytes.count + (navigation?.count ?? 0) }

    func kind(of slot: TemplateSlot) -> Kind {
        Kind(rawValue: UInt8(truncatingIfNeeded: kinds >> (3 * slot.rawValue)) & 7) ?? .absent
    }

    mutating func set(_ slot: TemplateSlot, _ flag: Bool) { set(slot, flag ? .on : .off) }

    mutating func set(_ slot: TemplateSlot, _ text: String) { set(slot) { $0 += text.utf8 } }

    /// Sets the text that a function appends.
    mutating func set(_ slot: TemplateSlot, _ append: (inout [UInt8]) -> Void) {
        let start = bytes.count
        append(&bytes)
        ranges[slot.rawValue] = start..<bytes.count
        set(slot, bytes.count == start ? .empty : .text)
    }

    /// Sets a text; `false` if it is empty, because Mustache treats an empty string as true.
    mutating func show(_ slot: TemplateSlot, _ text: String) { show(slot) { $0 += text.utf8 } }

    mutating func show(_ slot: TemplateSlot, _ append: (inout [UInt8]) -> Void) {
        set(slot, append)
        if kind(of: slot) == .empty { set(slot, .off) }
    }

    mutating func set(_ list: MarkedList) {
        navigation = list
        set(.navigation, list.count == 0 ? .empty : .text)
    }

    /// Announces the text of the page, which is written directly into the page.
    mutating func setContent(isEmpty: Bool) { set(.content, isEmpty ? .empty : .text) }

    private mutating func set(_ slot: TemplateSlot, _ kind: Kind) {
        let shift = 3 * slot.rawValue
        kinds = kinds & ~(UInt128(7) << shift) | UInt128(kind.rawValue) << shift
    }

    /// Appends the text of a slot, except that of the page's content.
    func append(_ slot: TemplateSlot, to page: inout [UInt8]) {
        if slot == .navigation {
            navigation?.append(to: &page)
        } else {
            page += bytes[ranges[slot.rawValue]]
        }
    }

    /// The values as Mustache sees them.
    ///
    /// - Parameter text: the text of a slot, or what stands for it.
    func add(to context: inout TemplateContext, _ text: (TemplateSlot) -> String) {
        for slot in TemplateSlot.allCases {
            let value: (any Sendable)? =
                switch kind(of: slot) {
                case .absent: nil
                case .off: false
                case .on: true
                case .empty: ""
                case .text: text(slot)
                }
            guard let value else { continue }
            let (object, name) = slot.path
            guard let object else {
                context[name] = value
                continue
            }
            var nested = context[object] as? TemplateContext ?? TemplateContext()
            nested[name] = value
            context[object] = nested
        }
    }
}

import CYAML

/// Reads a text of YAML 1.1.
///
/// The object is on the heap, because libyaml keeps pointers into it.
@safe public struct YAMLParser: ~Copyable {
    /// A limit, because each level of nesting takes some of the stack.
    private static let maximumDepth = 100

    private enum Event {
        case scalar(YAMLNode, anchor: String?)
        case sequence(anchor: String?), mapping(anchor: String?)
        case alias(String)
        /// Of a sequence, a mapping, or the whole text.
        case end
        /// Begin and end of the document.
        case other
    }

    private let text: UnsafeBufferPointer<UInt8>
    private let parser: UnsafeMutablePointer<yaml_parser_t>
    private var anchors: [String: YAMLNode] = [:]
    /// Of the event that was last read.
    private var mark = YAMLMark(line: 1, column: 1)

    /// The only document of a text in UTF-8, or `nil` if there is none.
    public static func document(_ text: [UInt8]) throws(YAMLError) -> YAMLNode? {
        let result: Result<YAMLNode?, YAMLError> = unsafe text.withUnsafeBufferPointer { text in
            var parser = unsafe YAMLParser(text)
            do throws(YAMLError) {
                return .success(try parser.document())
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    private init(_ text: UnsafeBufferPointer<UInt8>) {
        unsafe self.text = text
        unsafe parser = .allocate(capacity: 1)
        unsafe yaml_parser_initialize(parser)
        unsafe yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
        unsafe yaml_parser_set_input_string(parser, text.baseAddress, text.count)
    }

    deinit {
        unsafe yaml_parser_delete(parser)
        unsafe parser.deallocate()
    }

    private mutating func document() throws(YAMLError) -> YAMLNode? {
        // The beginning of the text.
        _ = try next()
        if case .end = try next() { return nil }
        let node = try node(try next(), depth: 0)
        _ = try next()
        guard case .end = try next() else {
            let context = " (expected a single document in the stream)"
            throw YAMLError("but found another document\(context)", at: mark)
        }
        return node
    }

    private mutating func node(_ event: Event, depth: Int) throws(YAMLError) -> YAMLNode {
        let mark = mark
        guard depth <= Self.maximumDepth else {
            throw YAMLError("more than \(Self.maximumDepth) levels", at: mark)
        }
        switch event {
        case .scalar(let node, let anchor):
            if let anchor { anchors[anchor] = node }
            return node
        case .sequence(let anchor):
            var nodes: [YAMLNode] = []
            while true {
                let event = try next()
                if case .end = event { break }
                nodes.append(try node(event, depth: depth + 1))
            }
            let node = YAMLNode(content: .sequence(nodes), mark: mark)
            if let anchor { anchors[anchor] = node }
            return node
        case .mapping(let anchor):
            var pairs: [(key: YAMLNode, value: YAMLNode)] = []
            while true {
                let event = try next()
                if case .end = event { break }
                let key = try node(event, depth: depth + 1)
                pairs.append((key, try node(try next(), depth: depth + 1)))
            }
            try Self.requireDifferent(pairs.map(\.key))
            let node = YAMLNode(content: .mapping(pairs), mark: mark)
            if let anchor { anchors[anchor] = node }
            return node
        case .alias(let anchor):
            guard let node = anchors[anchor] else {
                throw YAMLError("found undefined alias", at: mark)
            }
            return node
        case .end, .other:
            throw YAMLError("did not find a value", at: mark)
        }
    }

    private static func requireDifferent(_ keys: [YAMLNode]) throws(YAMLError) {
        var known: Set<String> = []
        let repeated = keys.filter { !known.insert($0.text ?? "").inserted }
        if repeated.isEmpty { return }
        let names = Set(repeated.map { $0.text ?? "" }).sorted()
        guard let mark = keys.first(where: { ($0.text ?? "") == names[0] })?.mark else { return }
        throw YAMLError("a key is there twice", repeatedKeys: names, at: mark)
    }

    private mutating func next() throws(YAMLError) -> Event {
        var event = unsafe yaml_event_t()
        guard unsafe yaml_parser_parse(parser, &event) == 1 else { throw error }
        defer { unsafe yaml_event_delete(&event) }
        mark = YAMLMark(unsafe event.start_mark)
        switch unsafe event.type {
        case YAML_SCALAR_EVENT:
            let scalar = unsafe event.data.scalar
            let bytes = unsafe UnsafeBufferPointer(start: scalar.value, count: scalar.length)
            let tag = unsafe Self.text(scalar.tag)
            let content = unsafe YAMLNode.Content.scalar(
                String(decoding: bytes, as: UTF8.self),
                isPlain: scalar.style == YAML_PLAIN_SCALAR_STYLE,
                isText: scalar.quoted_implicit == 1 || tag == YAML_STR_TAG
            )
            let node = YAMLNode(content: content, mark: mark)
            return .scalar(node, anchor: unsafe Self.text(scalar.anchor))
        case YAML_SEQUENCE_START_EVENT:
            return .sequence(anchor: unsafe Self.text(event.data.sequence_start.anchor))
        case YAML_MAPPING_START_EVENT:
            return .mapping(anchor: unsafe Self.text(event.data.mapping_start.anchor))
        case YAML_ALIAS_EVENT:
            return .alias(unsafe Self.text(event.data.alias.anchor) ?? "")
        case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT, YAML_STREAM_END_EVENT:
            return .end
        default:
            return .other
        }
    }

    private static func text(_ pointer: UnsafePointer<UInt8>?) -> String? {
        guard let pointer = unsafe pointer else { return nil }
        return unsafe String(cString: pointer)
    }

    private var error: YAMLError {
        guard let problem = unsafe parser.pointee.problem else {
            return YAMLError("there is not enough memory", at: mark)
        }
        var text = unsafe String(cString: problem)
        if let context = unsafe parser.pointee.context {
            text += unsafe " (\(String(cString: context)))"
        }
        guard unsafe parser.pointee.error == YAML_READER_ERROR else {
            return YAMLError(text, at: unsafe YAMLMark(parser.pointee.problem_mark))
        }
        // A character that YAML does not allow; libyaml only knows which byte.
        let before = unsafe self.text.prefix(parser.pointee.problem_offset)
        let lines = unsafe String(decoding: before, as: UTF8.self)
            .split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        let column = (lines.last?.unicodeScalars.count ?? 0) + 1
        return YAMLError(text, at: YAMLMark(line: lines.count, column: column))
    }
}

extension YAMLMark {
    fileprivate init(_ mark: yaml_mark_t) {
        self.init(line: mark.line + 1, column: mark.column + 1)
    }
}

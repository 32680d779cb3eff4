/// Writes numbers, texts and lists of them one after the other.
struct OutlineWriter {
    private(set) var bytes: [UInt8] = []

    /// Seven bits a byte, the lowest first.
    mutating func write(_ number: Int) {
        var rest = UInt(bitPattern: number)
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    mutating func write(_ text: String) {
        write(text.utf8.count)
        bytes += text.utf8
    }

    mutating func write(_ range: SourceRange) {
        write(range.line)
        write(range.column)
        write((range.length ?? -1) + 1)
    }

    mutating func write<Element>(
        _ list: [Element],
        _ writeElement: (inout OutlineWriter, Element) -> Void
    ) {
        write(list.count)
        for element in list { writeElement(&self, element) }
    }
}

/// Reads the bytes of an ``OutlineWriter``; all results are `nil` where the bytes are damaged.
struct OutlineReader {
    private let bytes: ArraySlice<UInt8>
    private var position: Int

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        position = bytes.startIndex
    }

    var isAtEnd: Bool { position == bytes.endIndex }

    mutating func number() -> Int? {
        var number: UInt = 0
        var shift: UInt = 0
        while position < bytes.endIndex, shift < 64 {
            let byte = bytes[position]
            position += 1
            number |= UInt(byte & 0x7F) << shift
            if byte < 0x80 { return Int(bitPattern: number) }
            shift += 7
        }
        return nil
    }

    mutating func text() -> String? {
        guard let count = number(), count >= 0, count <= bytes.endIndex - position else {
            return nil
        }
        defer { position += count }
        return String(validating: bytes[position..<position + count], as: UTF8.self)
    }

    mutating func range() -> SourceRange? {
        guard let line = number(), let column = number(), let length = number() else { return nil }
        return SourceRange(line: line, column: column, length: length > 0 ? length - 1 : nil)
    }

    mutating func list<Element>(
        _ readElement: (inout OutlineReader) -> Element?
    ) -> [Element]? {
        guard let count = number(), count >= 0, count <= bytes.endIndex - position else {
            return nil
        }
        var list: [Element] = []
        list.reserveCapacity(count)
        for _ in 0..<count {
            guard let element = readElement(&self) else { return nil }
            list.append(element)
        }
        return list
    }
}

/// Writes numbers, texts and lists of them one after the other, for caches.
public struct ByteWriter {
    public private(set) var bytes: [UInt8] = []

    /// - Parameter count: so many bytes find room without a copy.
    public init(expecting count: Int = 0) { bytes.reserveCapacity(count) }

    /// Seven bits a byte, the lowest first.
    public mutating func write(_ number: Int) {
        var rest = UInt(bitPattern: number)
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    public mutating func write(_ text: String) {
        write(text.utf8.count)
        bytes += text.utf8
    }

    /// The number of bytes, then the bytes.
    public mutating func write(bytes part: some Collection<UInt8>) {
        write(part.count)
        bytes += part
    }

    public mutating func write(_ range: SourceRange) {
        write(range.line)
        write(range.column)
        write((range.length ?? -1) + 1)
    }

    public mutating func write<Element>(
        _ list: [Element],
        _ writeElement: (inout ByteWriter, Element) -> Void
    ) {
        write(list.count)
        for element in list { writeElement(&self, element) }
    }
}

/// Reads the bytes of an ``ByteWriter``; all results are `nil` if the bytes are damaged.
public struct ByteReader {
    private let bytes: ArraySlice<UInt8>
    private var position: Int

    public init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        position = bytes.startIndex
    }

    public var isAtEnd: Bool { position == bytes.endIndex }

    public mutating func number() -> Int? {
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

    public mutating func text() -> String? {
        guard let count = number(), count >= 0, count <= bytes.endIndex - position else {
            return nil
        }
        defer { position += count }
        return String(validating: bytes[position..<position + count], as: UTF8.self)
    }

    public mutating func slice() -> ArraySlice<UInt8>? {
        guard let count = number(), count >= 0, count <= bytes.endIndex - position else {
            return nil
        }
        defer { position += count }
        return bytes[position..<position + count]
    }

    public mutating func range() -> SourceRange? {
        guard let line = number(), let column = number(), let length = number() else { return nil }
        return SourceRange(line: line, column: column, length: length > 0 ? length - 1 : nil)
    }

    public mutating func list<Element>(
        _ readElement: (inout ByteReader) -> Element?
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

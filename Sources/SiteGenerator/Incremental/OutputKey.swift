import OpenSSL

/// A digest of all inputs of a page.
///
/// Each part has its length or its kind in front, so that different sequences of parts have
/// different bytes.
struct OutputKey {
    private var bytes: [UInt8] = []

    init() {}

    init(_ identity: BuildIdentity) {
        bytes.reserveCapacity(1024)
        add(identity.bytes)
    }

    mutating func add(_ part: [UInt8]) {
        add(part.count)
        bytes += part
    }

    mutating func add(_ text: String) {
        add(text.utf8.count)
        bytes += text.utf8
    }

    /// Adds seven bits a byte, the last byte without the eighth bit.
    mutating func add(_ number: some FixedWidthInteger & UnsignedInteger) {
        var rest = number
        while rest > 127 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 128)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    mutating func add(_ number: Int) { add(UInt(bitPattern: number)) }

    mutating func add(_ flag: Bool) { bytes.append(flag ? 1 : 0) }

    /// Adds a value of any type that templates can use.
    mutating func add(value: Any?) {
        switch value {
        case nil: add("nil")
        case let text as String:
            add("text")
            add(text)
        case let flag as Bool: add(flag ? "true" : "false")
        case let context as TemplateContext:
            add("context")
            add(context.names.count)
            for name in context.names.sorted() {
                add(name)
                add(value: context[name])
            }
        case let list as [Any]:
            add("list")
            add(list.count)
            for element in list { add(value: element) }
        case let other?: add("\(type(of: other)) \(other)")
        }
    }

    var digest: [UInt8] { Digest.sha256(bytes) }
}

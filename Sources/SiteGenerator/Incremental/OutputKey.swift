import OpenSSL

/// A digest of all inputs of a page.
struct OutputKey {
    private var bytes: [UInt8]

    init(_ identity: BuildIdentity) { bytes = identity.bytes }

    /// Adds the length first, so that different sequences of parts have different bytes.
    mutating func add(_ part: some Collection<UInt8>) {
        add(part.count)
        bytes += part
    }

    mutating func add(_ text: String) { add(Array(text.utf8)) }

    mutating func add(_ number: Int) {
        for shift in stride(from: 0, to: 64, by: 8) {
            bytes.append(UInt8(truncatingIfNeeded: number >> shift))
        }
    }

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

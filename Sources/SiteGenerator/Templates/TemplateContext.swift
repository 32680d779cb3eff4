/// Values with names, as Mustache sees them.
struct TemplateContext: Sendable {
    private var values: [String: any Sendable]

    init(_ values: [String: any Sendable] = [:]) { self.values = values }

    var names: [String] { Array(values.keys) }

    var isEmpty: Bool { values.isEmpty }

    subscript(name: String) -> (any Sendable)? {
        get { values[name] }
        set { values[name] = newValue }
    }
}

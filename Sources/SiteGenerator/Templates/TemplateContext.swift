import Mustache

/// Values with names, as Mustache sees them.
///
/// A type of its own, because Mustache is slow with dictionaries: detecting one costs more than a
/// lookup.
struct TemplateContext: MustacheParent, Sendable {
    private var values: [String: any Sendable]

    init(_ values: [String: any Sendable] = [:]) { self.values = values }

    var names: [String] { Array(values.keys) }

    var isEmpty: Bool { values.isEmpty }

    subscript(name: String) -> (any Sendable)? {
        get { values[name] }
        set { values[name] = newValue }
    }

    func child(named name: String) -> Any? { values[name] }
}

import Mustache

/// The values that a template may name.
///
/// A plain dictionary would do as well, but finding out that it is one costs Mustache more than
/// looking into it.
struct TemplateContext: MustacheParent, Sendable {
    private var values: [String: any Sendable]

    init(_ values: [String: any Sendable] = [:]) { self.values = values }

    var names: [String] { Array(values.keys) }

    subscript(name: String) -> (any Sendable)? {
        get { values[name] }
        set { values[name] = newValue }
    }

    func child(named name: String) -> Any? { values[name] }
}

import Synchronization

/// The forms that a build has needed so far, by template and shape.
final class CompiledTemplates: Sendable {
    /// Whether there are none, since a template looks into its values.
    let isOff: Bool
    private let compiled = Mutex<[String: CompiledTemplate]>([:])
    /// Front matter of a site's own may have any shape.
    private static let limit = 1000

    init(isOff: Bool) { self.isOff = isOff }

    subscript(key: String) -> CompiledTemplate? {
        get { compiled.withLock { $0[key] } }
        set {
            compiled.withLock { compiled in
                if compiled.count < Self.limit { compiled[key] = newValue }
            }
        }
    }
}

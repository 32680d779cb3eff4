import Synchronization

/// The forms that a build has needed so far, by template and shape.
final class CompiledTemplates: Sendable {
    /// Whether there are none, since a template looks into its values.
    let isOff: Bool
    private let forms = Mutex<[String: CompiledTemplate]>([:])
    /// Front matter of a site's own may have any shape.
    private static let limit = 1000

    init(isOff: Bool) { self.isOff = isOff }

    subscript(key: String) -> CompiledTemplate? {
        get { forms.withLock { $0[key] } }
        set {
            forms.withLock { forms in
                if forms.count < Self.limit { forms[key] = newValue }
            }
        }
    }
}

import Synchronization

/// The compiled templates of a build, by template and signature.
final class CompiledTemplates: Sendable {
    /// Whether compiling is off, because a template computes with its values.
    let isOff: Bool
    private let compiled = Mutex<[String: CompiledTemplate]>([:])
    /// A limit, because `params` in front matter can produce any number of signatures.
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

import Site
import SourceFolder

extension MustacheValue {
    /// A value of front matter as templates see it.
    init(_ value: FrontMatterValue) {
        self =
            switch value.content {
            case .null: .truth(false)
            case .scalar(let text, let bool, _): bool.map { .truth($0) } ?? .textOrFalse(text)
            case .list(let values): .list(values.map(Self.init))
            case .table(let entries): Self(entries)
            }
    }

    /// An object; of equal keys, the last one counts.
    init(_ entries: [FrontMatterEntry]) {
        let members = entries.map { ($0.key, MustacheValue($0.value)) }
        self = .object(Dictionary(members) { $1 })
    }
}

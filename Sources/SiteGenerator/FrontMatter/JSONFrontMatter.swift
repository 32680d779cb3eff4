import Diagnostics
import Jansson

/// Front matter as a JSON object, as Hugo takes it.
struct JSONFrontMatter {
    private(set) var entries: [FrontMatterEntry] = []
    private(set) var diagnostics: [Diagnostic] = []

    private let text: [UInt8]
    private let path: String
    private let linesAbove: Int

    init(_ json: [UInt8], path: String, linesAbove: Int) {
        text = json
        self.path = path
        self.linesAbove = linesAbove
        let object: JSON
        do { object = try JSON(parsing: json) } catch {
            let place = Place(path, line: linesAbove + error.line, column: error.column)
            diagnostics = [
                Diagnostic(.error, "front matter is not JSON: \(error.reason)", at: place)
            ]
            return
        }
        guard let members = object.members, let range = JSONObjectRange(at: json[...]),
            range.members.count == members.names.count
        else {
            let message = "front matter is not a JSON object"
            diagnostics = [Diagnostic(.error, message, at: Place(path))]
            return
        }
        entries = zip(members.names, range.members).map { name, member in
            FrontMatterEntry(
                key: name,
                keyPlace: place(member.name),
                value: Self.value(members[name] ?? .null, place(member.value))
            )
        }
    }

    private func place(_ offset: Int) -> Place {
        let before = text[..<offset]
        let start = before.lastIndex(of: 10).map { $0 + 1 } ?? 0
        let line = before.count { $0 == 10 } + 1
        return Place(path, line: linesAbove + line, column: offset - start + 1)
    }

    private static func value(_ json: JSON, _ place: Place) -> FrontMatterValue {
        let content: FrontMatterValue.Content =
            switch json {
            case .null: .scalar("", bool: nil, number: nil)
            case .bool(let bool): .scalar("\(bool)", bool: bool, number: nil)
            case .integer(let number): .scalar("\(number)", bool: nil, number: Double(number))
            case .number(let number): .scalar("\(number)", bool: nil, number: number)
            case .string(let text): .scalar(text, bool: nil, number: nil)
            case .array(let values): .list(values.map { value($0, place) })
            case .object(let members):
                .table(
                    members.names.map { name in
                        let inner = value(members[name] ?? .null, place)
                        return FrontMatterEntry(key: name, keyPlace: place, value: inner)
                    }
                )
            }
        return FrontMatterValue(content: content, place: place)
    }
}

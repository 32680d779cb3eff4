import Diagnostics
import Jansson

/// Front matter as a JSON object, as in Hugo.
struct JSONFrontMatter {
    private(set) var entries: [FrontMatterEntry] = []
    private(set) var diagnostics: [Diagnostic] = []

    init(_ json: [UInt8], path: String, linesAbove: Int) {
        let object: JSON
        do { object = try JSON(parsing: json) } catch {
            let location = SourceLocation(path, line: linesAbove + error.line, column: error.column)
            diagnostics = [
                Diagnostic(.error, "front matter is not JSON: \(error.reason)", at: location)
            ]
            return
        }
        guard let members = object.members, let range = JSONObjectRange(at: json[...]),
            range.members.count == members.names.count
        else {
            let message = "front matter is not a JSON object"
            diagnostics = [Diagnostic(.error, message, at: SourceLocation(path))]
            return
        }
        // Members are in the order of the text, so lines are counted in one pass.
        var offset = 0
        var line = linesAbove + 1
        var start = 0
        func location(_ end: Int) -> SourceLocation {
            while offset < end {
                if json[offset] == 10 {
                    line += 1
                    start = offset + 1
                }
                offset += 1
            }
            return SourceLocation(path, line: line, column: end - start + 1)
        }
        for (name, member) in zip(members.names, range.members) {
            let keyLocation = location(member.name)
            let value = Self.value(members[name] ?? .null, location(member.value))
            entries.append(FrontMatterEntry(key: name, keyLocation: keyLocation, value: value))
        }
    }

    private static func value(_ json: JSON, _ location: SourceLocation) -> FrontMatterValue {
        let content: FrontMatterValue.Content =
            switch json {
            case .null: .null
            case .bool(let bool): .scalar("\(bool)", bool: bool, number: nil)
            case .integer(let number): .scalar("\(number)", bool: nil, number: Double(number))
            case .number(let number): .scalar("\(number)", bool: nil, number: number)
            case .string(let text): .scalar(text, bool: nil, number: nil)
            case .array(let values): .list(values.map { value($0, location) })
            case .object(let members):
                .table(
                    members.names.map { name in
                        let inner = value(members[name] ?? .null, location)
                        return FrontMatterEntry(key: name, keyLocation: location, value: inner)
                    }
                )
            }
        return FrontMatterValue(content: content, location: location)
    }
}

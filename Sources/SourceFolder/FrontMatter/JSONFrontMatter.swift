import Diagnostics
import Jansson

/// Front matter as a JSON object, as in Hugo.
enum JSONFrontMatter {
    static func read(_ json: [UInt8], path: String, linesAbove: Int) -> ParsedFrontMatter {
        let object: JSON
        do { object = try JSON(parsing: json) } catch {
            let message = "front matter is not JSON: \(error.reason)"
            let location = SourceLocation(path, line: linesAbove + error.line, column: error.column)
            return ([], [Diagnostic(.error, message, at: location)])
        }
        guard let members = object.members, let range = JSONObjectRange(at: json[...]),
            range.members.count == members.names.count
        else {
            let message = "front matter is not a JSON object"
            return ([], [Diagnostic(.error, message, at: SourceLocation(path))])
        }
        let entries = zip(members.names, range.members).map { name, member in
            let places = [member.name, member.value].map {
                SourceLocation(path, line: linesAbove + $0.line, column: $0.column)
            }
            let value = value(members[name] ?? .null, places[1])
            return FrontMatterEntry(key: name, keyLocation: places[0], value: value)
        }
        return (entries, [])
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

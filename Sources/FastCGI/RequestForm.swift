/// Checks the form of a request before libfcgi reads it.
///
/// libfcgi trusts the length of a parameter, and ends the process if it cannot allocate that much
/// memory: eight bytes that announce 4 GB would stop the site. It also answers records that nginx
/// never sends. So only the form in which nginx asks is accepted (FastCGI Specification 1.0,
/// section 5): BEGIN_REQUEST, PARAMS up to an empty record, STDIN up to an empty record, all of one
/// request, and parameters with correct lengths.
enum RequestForm: Equatable {
    /// The bytes are the beginning of a request.
    case incomplete
    case refused
    /// - byteCount: the length of the request; nothing may follow it before its answer.
    case complete(byteCount: Int, keepsConnection: Bool)

    private enum RecordType { static let begin = 1, parameters = 4, body = 5 }

    private static let headerLength = 8
    private static let responder = 1

    init(_ bytes: Span<UInt8>) {
        var position = 0
        var expected = RecordType.begin
        var request = 0
        var keepsConnection = false
        var parameters: [Range<Int>] = []
        while position < bytes.count {
            // The version is checked first, so that a browser's request or noise is refused without
            // a wait.
            guard bytes[position] == 1 else {
                self = .refused
                return
            }
            guard let record = Record(bytes, at: position) else { break }
            let isOfRequest =
                expected == RecordType.begin ? record.request != 0 : record.request == request
            guard record.type == expected, isOfRequest else {
                self = .refused
                return
            }
            // An empty record and its padding end a stream.
            guard record.end <= bytes.count else { break }
            let content = bytes.extracting(record.content)
            switch expected {
            case RecordType.begin:
                guard content.count == 8, Int(content[0]) << 8 | Int(content[1]) == Self.responder
                else {
                    self = .refused
                    return
                }
                request = record.request
                keepsConnection = content[2] & 1 != 0
                expected = RecordType.parameters
            case RecordType.parameters where content.isEmpty:
                guard Self.areWhole(parameters, in: bytes) else {
                    self = .refused
                    return
                }
                expected = RecordType.body
            case RecordType.parameters: parameters.append(record.content)
            default:
                guard content.isEmpty else { break }
                self = .complete(byteCount: record.end, keepsConnection: keepsConnection)
                return
            }
            position = record.end
        }
        self = .incomplete
    }

    /// Whether the last parameter ends where the records end; parameters may span several records.
    private static func areWhole(_ records: [Range<Int>], in bytes: Span<UInt8>) -> Bool {
        if records.count == 1 { return areWhole(bytes.extracting(records[0])) }
        var joined: [UInt8] = []
        for index in records.joined() { joined.append(bytes[index]) }
        return areWhole(joined.span)
    }

    private static func areWhole(_ parameters: Span<UInt8>) -> Bool {
        var position = 0
        while position < parameters.count {
            guard let name = length(in: parameters, at: &position),
                let value = length(in: parameters, at: &position)
            else { return false }
            // Both have 31 bits at most, so the sum cannot overflow.
            position += name + value
        }
        return position == parameters.count
    }

    /// Reads a length of one byte, or of four where the first bit is set.
    private static func length(in parameters: Span<UInt8>, at position: inout Int) -> Int? {
        guard position < parameters.count else { return nil }
        let first = Int(parameters[position])
        position += 1
        if first < 0x80 { return first }
        guard position + 3 <= parameters.count else { return nil }
        var length = first & 0x7F
        for index in position..<position + 3 { length = length << 8 | Int(parameters[index]) }
        position += 3
        return length
    }

    /// The header of a record.
    private struct Record {
        let type: Int
        let request: Int
        let content: Range<Int>
        /// The position behind the record's padding.
        let end: Int

        init?(_ bytes: Span<UInt8>, at start: Int) {
            let contentStart = start + RequestForm.headerLength
            guard contentStart <= bytes.count else { return nil }
            type = Int(bytes[start + 1])
            request = Int(bytes[start + 2]) << 8 | Int(bytes[start + 3])
            let length = Int(bytes[start + 4]) << 8 | Int(bytes[start + 5])
            content = contentStart..<contentStart + length
            end = content.upperBound + Int(bytes[start + 6])
        }
    }
}

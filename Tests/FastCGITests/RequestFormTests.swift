import Testing

@testable import FastCGI

@Suite struct RequestFormTests {
    private static func record(
        _ type: UInt8,
        _ content: [UInt8] = [],
        request: UInt8 = 1,
        padding: UInt8 = 0
    ) -> [UInt8] {
        let length = [UInt8(content.count >> 8), UInt8(content.count & 255)]
        return [1, type, 0, request] + length + [padding, 0] + content
            + [UInt8](repeating: 0, count: Int(padding))
    }

    private static func begin(role: UInt8 = 1, flags: UInt8 = 0) -> [UInt8] {
        record(1, [0, role, flags, 0, 0, 0, 0, 0])
    }

    private static func form(_ bytes: [UInt8]) -> RequestForm { RequestForm(bytes.span) }

    private static let end = record(4) + record(5)

    @Test(arguments: [
        begin() + end, begin() + record(4, [1, 1, 65, 66]) + end,
        // As nginx pads, in several records, with a body, with a length of four bytes.
        begin() + record(4, [1, 1, 65, 66], padding: 4) + record(4, padding: 1)
            + record(5, [1, 2, 3], padding: 5) + record(5),
        begin() + record(4, [1]) + record(4, [1, 65]) + record(4, [66]) + end,
        begin() + record(4, [128, 0, 0, 1, 128, 0, 0, 0, 65]) + end,
        begin() + record(4, [0, 0]) + end,
    ])
    func `a request as nginx sends it is whole, and no part of it is`(bytes: [UInt8]) {
        #expect(Self.form(bytes) == .complete(byteCount: bytes.count, keepsConnection: false))
        for count in bytes.indices {
            #expect(Self.form(Array(bytes.prefix(count))) == .incomplete, "\(count)")
        }
    }

    @Test func `what follows is not counted in, and the wish to keep the connection is told`() {
        let request = Self.begin(flags: 1) + Self.end
        let form = Self.form(request + Self.begin())
        #expect(form == .complete(byteCount: request.count, keepsConnection: true))
    }

    @Test(arguments: [
        // Lengths for which libfcgi has no memory, or which end elsewhere than the parameters.
        begin() + record(4, [255, 255, 255, 254, 255, 255, 255, 254, 65]) + end,
        begin() + record(4, [255, 255, 255, 255, 255, 255, 255, 255]) + end,
        begin() + record(4, [127, 127, 65]) + end, begin() + record(4, [1]) + end,
        begin() + record(4, [128, 0, 0]) + end, begin() + record(4, [1, 1, 65, 66, 67]) + end,
        // Records that nginx does not send, at any place.
        record(9, [255, 255, 255, 254, 255, 255, 255, 254], request: 0),
        begin() + record(9, [4, 0], request: 0),
        begin() + record(4) + record(9, [255, 255, 255, 254], request: 0),
        begin() + record(4) + record(5, [1]) + record(11, request: 0), begin() + begin(),
        begin() + record(5), record(4, [1, 1, 65, 66]), begin() + record(2),
        begin() + record(4, request: 2), record(1, [0, 1, 0, 0, 0, 0, 0, 0], request: 0),
        record(1, [0, 1]), begin(role: 2), begin(role: 3), begin() + record(4) + record(8),
        // No FastCGI at all.
        [0], [2, 1], Array("GET / HTTP/1.1\r\n\r\n".utf8), [22, 3, 1], begin() + [0],
    ])
    func `all else is refused`(bytes: [UInt8]) {
        #expect(Self.form(bytes) == .refused)
    }
}

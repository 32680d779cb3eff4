import CMicroHTTPD
import Glibc
import HTTPTypes

/// One request, from its first line to the end of its answer.
///
/// libmicrohttpd's thread uses the object. While the answer is made by a task, the connection is
/// suspended, so that no two use it at the same time, hence `@unchecked Sendable`.
@safe final class LoopbackExchange: @unchecked Sendable {
    /// What is read of a body that is too large, so that the client comes to read the answer.
    private static let maximumDiscardedBytes = 16 << 20

    private enum State {
        case began, receiving, discarding, answered(LoopbackAnswer)
    }

    /// Path and query as they were sent.
    private let target: String
    private let connection: OpaquePointer
    private var request = HTTPRequest(method: .get, scheme: "http", authority: nil, path: nil)
    private var body: [UInt8] = []
    private var discardedBytes = 0
    private var state = State.began

    init(_ target: String, at connection: OpaquePointer) {
        self.target = target
        unsafe self.connection = connection
    }

    /// Continues after the head of the request, after each part of its body, after its end, and
    /// when the answer is made.
    ///
    /// - Parameter bytes: a part of the body; empty in all other cases.
    /// - Returns: `false` if the connection must be closed.
    func advance(
        _ method: String,
        _ bytes: UnsafeRawBufferPointer,
        _ server: LoopbackServer.Context
    ) -> Bool {
        switch state {
        case .began:
            readHead(method)
            let announced = request.headerFields[.contentLength].flatMap(Int.init) ?? 0
            if announced > server.maximumBodyBytes {
                return send(LoopbackAnswer(HTTPResponse(status: .contentTooLarge)))
            }
            state = .receiving
            return true
        case .receiving:
            if unsafe bytes.isEmpty {
                start(server.handler)
            } else if body.count + bytes.count <= server.maximumBodyBytes {
                unsafe body.append(contentsOf: bytes)
            } else {
                refuseBody()
            }
            return true
        case .discarding:
            discardedBytes += bytes.count
            return unsafe !bytes.isEmpty && discardedBytes <= Self.maximumDiscardedBytes
        case .answered(let answer):
            return send(answer)
        }
    }

    private func readHead(_ method: String) {
        var fields = HTTPFields()
        unsafe withUnsafeMutablePointer(to: &fields) { fields in
            _ = unsafe MHD_get_connection_values(connection, .HEADER_KIND, addField, fields)
        }
        request = HTTPRequest(
            method: HTTPRequest.Method(method) ?? .trace,
            scheme: "http",
            authority: HTTPField.Name("Host").flatMap { fields[$0] },
            path: target,
            headerFields: fields
        )
    }

    private func start(_ handler: @escaping LoopbackServer.Handler) {
        unsafe MHD_suspend_connection(connection)
        Task {
            state = .answered(await handler(request, body))
            unsafe MHD_resume_connection(connection)
        }
    }

    /// Refuses a body that did not announce its size.
    ///
    /// libmicrohttpd takes no answer before the end of the body, which may never come.
    private func refuseBody() {
        state = .discarding
        body = []
        let status = HTTPResponse.Status.contentTooLarge
        var line = "HTTP/1.1 \(status.code) \(status.reasonPhrase)\r\n"
        line += "Content-Length: 0\r\nConnection: close\r\n\r\n"
        unsafe Glibc.send(
            shim_descriptor(connection),
            line,
            line.utf8.count,
            Int32(MSG_NOSIGNAL)
        )
    }

    private func send(_ answer: LoopbackAnswer) -> Bool {
        guard let response = unsafe response(answer.body) else { return false }
        defer { unsafe MHD_destroy_response(response) }
        // libmicrohttpd counts the body itself, and refuses the field.
        for field in answer.head.headerFields where field.name != .contentLength {
            let result = unsafe MHD_add_response_header(
                response,
                field.name.rawName,
                field.value
            )
            // Without one of its fields, an answer might be taken for a page of another kind.
            guard result == .YES else { return false }
        }
        let code = UInt32(answer.head.status.code)
        return unsafe MHD_queue_response(connection, code, response) == .YES
    }

    private func response(_ body: LoopbackAnswer.Body) -> OpaquePointer? {
        switch body {
        case .bytes(var bytes):
            return unsafe bytes.withUnsafeMutableBytes { bytes in
                unsafe MHD_create_response_from_buffer(
                    bytes.count,
                    bytes.baseAddress,
                    .RESPMEM_MUST_COPY
                )
            }
        case .parts(let parts, let count):
            let parts = unsafe AnswerParts(parts, isAnnounced: count != nil, at: connection)
            return unsafe MHD_create_response_from_callback(
                count.map(UInt64.init) ?? .max,
                32 << 10,
                readParts,
                Unmanaged.passRetained(parts).toOpaque(),
                freeParts
            )
        }
    }
}

private let addField: MHD_KeyValueIterator = { fields, _, name, value in
    guard let fields = unsafe fields, let name = unsafe name, let value = unsafe value,
        let name = HTTPField.Name(unsafe String(cString: name))
    else { return .YES }
    let field = HTTPField(name: name, value: unsafe String(cString: value))
    unsafe fields.assumingMemoryBound(to: HTTPFields.self).pointee.append(field)
    return .YES
}

private let readParts: MHD_ContentReaderCallback = { parts, _, buffer, count in
    guard let parts = unsafe parts else { return -2 }
    let buffer = unsafe UnsafeMutableRawBufferPointer(start: buffer, count: count)
    return unsafe Unmanaged<AnswerParts>.fromOpaque(parts).takeUnretainedValue().fill(buffer)
}

private let freeParts: MHD_ContentReaderFreeCallback = { parts in
    if let parts = unsafe parts { unsafe Unmanaged<AnswerParts>.fromOpaque(parts).release() }
}

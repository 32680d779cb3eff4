import CMicroHTTPD
import Glibc

/// The parts of an answer, as libmicrohttpd asks for them.
///
/// While the connection waits for a part, it is suspended, so that only one thread at a time uses
/// this object, hence `@unchecked Sendable`.
@safe final class AnswerParts: @unchecked Sendable {
    private let parts: AsyncStream<[UInt8]>
    private let connection: OpaquePointer
    /// What libmicrohttpd returns after the last part.
    private let end: Int
    private var rest: ArraySlice<UInt8> = []
    private var isEnded = false

    init(_ parts: AsyncStream<[UInt8]>, isAnnounced: Bool, at connection: OpaquePointer) {
        self.parts = parts
        unsafe self.connection = connection
        // MHD_CONTENT_READER_END_WITH_ERROR and MHD_CONTENT_READER_END_OF_STREAM
        end = isAnnounced ? -2 : -1
    }

    /// Fills the buffer, or suspends the connection until there is something.
    func fill(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
        if rest.isEmpty {
            if isEnded { return end }
            unsafe MHD_suspend_connection(connection)
            Task {
                var iterator = parts.makeAsyncIterator()
                let part = await iterator.next()
                rest = part?[...] ?? []
                isEnded = part == nil
                unsafe MHD_resume_connection(connection)
            }
            return 0
        }
        let bytes = rest.prefix(buffer.count)
        unsafe buffer.copyBytes(from: bytes)
        rest = rest.dropFirst(bytes.count)
        return bytes.count
    }
}

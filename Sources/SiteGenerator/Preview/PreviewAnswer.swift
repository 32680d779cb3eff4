import HTTPTypes
import Site
import SourceFolder

/// The response of a preview to one request.
public struct PreviewAnswer: Sendable, Equatable {
    public enum Body: Sendable, Equatable {
        case bytes([UInt8])
        /// The changes of the preview from now on, as server-sent events.
        case events
    }

    public var head: HTTPResponse
    public var body: Body

    init(
        _ status: HTTPResponse.Status,
        _ body: [UInt8],
        type: String,
        _ fields: HTTPFields = [:]
    ) {
        head = HTTPResponse(status: status, headerFields: fields)
        head.headerFields[.contentType] = type
        head.headerFields[.contentLength] = "\(body.count)"
        self.body = .bytes(body)
    }

    init(_ status: HTTPResponse.Status, text: String) {
        self.init(status, Array("\(text)\n".utf8), type: "text/plain; charset=utf-8")
    }

    /// A page, with the script that reloads it.
    init(_ status: HTTPResponse.Status, page html: [UInt8], generation: String) {
        self.init(status, LiveReload.adding(to: html, generation), type: ContentType.html)
    }

    init(location: String) {
        self.init(.found, text: "Moved to '\(location)'.")
        head.headerFields[.location] = location
    }

    static let events: PreviewAnswer = {
        var answer = PreviewAnswer(.ok, [], type: ContentType.events)
        answer.head.headerFields[.contentLength] = nil
        answer.body = .events
        return answer
    }()
}

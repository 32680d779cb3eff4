import FlyingFox
import HTTPTypes

extension HTTPTypes.HTTPRequest {
    /// Converts the head of a request from FlyingFox's type.
    public init(received request: FlyingFox.HTTPRequest) {
        self.init(
            method: HTTPTypes.HTTPRequest.Method(request.method.rawValue) ?? .trace,
            scheme: "http",
            authority: request.headers[.host],
            path: request.target.rawValue
        )
        for (name, value) in request.headers {
            if let name = HTTPField.Name(name.rawValue) { headerFields[name] = value }
        }
    }
}

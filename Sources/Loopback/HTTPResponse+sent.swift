import FlyingFox
import HTTPTypes

extension FlyingFox.HTTPResponse {
    /// Converts a response without its body to FlyingFox's type.
    public init(sent response: HTTPTypes.HTTPResponse) {
        self.init(
            statusCode: HTTPStatusCode(
                response.status.code,
                phrase: response.status.reasonPhrase
            )
        )
        for field in response.headerFields {
            headers.addValue(field.value, for: HTTPHeader(field.name.rawName))
        }
    }
}

import FlyingFox
import HTTPTypes

extension FlyingFox.HTTPResponse {
    /// A response without a body, from the values that the products work with.
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

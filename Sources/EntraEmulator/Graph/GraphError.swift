import HTTPTypes
import Jansson

/// An error in Microsoft Graph's format.
struct GraphError: Sendable {
    let status: HTTPResponse.Status
    let code: String
    let message: String

    static let unauthenticated = GraphError(
        status: .unauthorized,
        code: "InvalidAuthenticationToken",
        message: "The access token is missing, unknown or expired."
    )

    static let forbidden = GraphError(
        status: .forbidden,
        code: "Authorization_RequestDenied",
        message: "The application has no permission for this."
    )

    static func bad(_ message: String) -> GraphError {
        GraphError(status: .badRequest, code: "Request_BadRequest", message: message)
    }

    func response(_ emulator: Emulator) -> EmulatorResponse {
        let error: JSON = [
            "code": .string(code), "message": .string(message),
            "innerError": [
                "date": .string(UniversalTime.text(emulator.now())),
                "request-id": .string(emulator.guid()),
            ],
        ]
        var response = EmulatorResponse.json(status, ["error": error])
        if status == .unauthorized {
            response.http.headerFields[.wwwAuthenticate] =
                "Bearer realm=\"\", error=\"invalid_token\""
        }
        return response
    }
}

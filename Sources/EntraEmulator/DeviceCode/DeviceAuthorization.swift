import HTTPTypes
import JOSE
import Jansson

/// The device authorization endpoint (RFC 8628, section 3.1): a code for the device, and one to type.
struct DeviceAuthorization: Sendable {
    let emulator: Emulator
    let origin: Origin
    let authority: Authority

    func respond(to request: EmulatorRequest) -> EmulatorResponse {
        do {
            return .json(.ok, try answer(request))
        } catch {
            emulator.events.add([
                "event": "device-code-refusal", "number": .integer(error.number),
                "error": .string(error.error),
            ])
            return .json(error.status, error.json(emulator.correlation()))
        }
    }

    private func answer(_ request: EmulatorRequest) throws(ProtocolError) -> JSON {
        try request.requirePost()
        let form = request.form
        guard let clientID = form["client_id"] else { throw .missing("client_id") }
        // No credential is required here: a confidential client is refused when it asks for tokens.
        let application = try Registration.application(clientID, authority, emulator.directory)
        guard let scope = form["scope"] else { throw .missing("scope") }
        let scopes = RequestedScopes.list(scope)
        _ = try RequestedScopes(scopes, authority, emulator.finder)
        let userCode = DeviceCodes.userCode(emulator.random(DeviceCodes.userCodeLength))
        let text = Base64URL.encode(emulator.random(160))
        let code = DeviceCodes.Code(
            clientID: application.clientID,
            scopes: scopes,
            authority: authority,
            userCode: userCode,
            issuedAt: emulator.now()
        )
        emulator.deviceCodes.add(code, text)
        emulator.events.add([
            "event": "device-code", "client_id": .string(clientID), "user_code": .string(userCode),
        ])
        let page = origin.text + DeviceSignIn.path
        return [
            "user_code": .string(userCode),
            "device_code": .string(text),
            "verification_uri": .string(page),
            "expires_in": .integer(DeviceCodes.lifetime),
            "interval": .integer(DeviceCodes.interval),
            "message": .string(
                "To sign in, open the page \(page) in a browser and enter the code \(userCode)."
            ),
        ]
    }
}

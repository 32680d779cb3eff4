/// Redeems a device code, if its sign-in was completed (RFC 8628, section 3.5).
///
/// The errors are Entra's, of which some differ from the RFC's. It does not send `slow_down`.
struct DeviceCodeGrant: Sendable {
    let emulator: Emulator
    let authority: Authority

    func grant(_ form: QueryItems, _ client: Client) throws(ProtocolError) -> Grant {
        // The older name of the parameter is accepted, too.
        guard let text = form["device_code"] ?? form["code"] else {
            throw .missing("device_code")
        }
        guard let code = emulator.deviceCodes[text],
            code.clientID == client.application.clientID
        else { throw Self.unknown }
        guard code.authority.path == authority.path else {
            throw .invalidGrant(700_005, "The code was issued by another tenant's endpoint.")
        }
        guard emulator.now() - code.issuedAt <= DeviceCodes.lifetime else {
            throw ProtocolError("expired_token", 70020, "The device code has expired.")
        }
        switch code.state {
        case .pending:
            throw ProtocolError(
                "authorization_pending",
                70016,
                "The user has not entered the code and signed in yet."
            )
        case .declined:
            throw ProtocolError(
                "authorization_declined",
                65004,
                "The user did not consent to the application."
            )
        case .redeemed: throw Self.unknown
        case .approved: return try redeem(text, client)
        }
    }

    private func redeem(_ text: String, _ client: Client) throws(ProtocolError) -> Grant {
        let application = client.application
        // A confidential client is told only now that its registration must allow public flows.
        try client.requireProof(unless: application.isPublic || application.allowsPublicFlows)
        if client.proof != .none, application.allowsPublicFlows {
            throw .invalidClient(
                700_025,
                "The application is a public client in this flow and must not send a credential."
            )
        }
        guard let grant = emulator.deviceCodes.redeem(text) else { throw Self.unknown }
        if emulator.directory.account(grant.objectID)?.user.isDisabled != false {
            throw .invalidGrant(50057, "The user account is disabled.")
        }
        return grant
    }

    private static let unknown = ProtocolError(
        "bad_verification_code",
        70018,
        "The device code was not issued to this application, or was already redeemed."
    )
}

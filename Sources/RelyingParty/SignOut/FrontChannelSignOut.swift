import HTTPTypes

/// Ends the sessions that came from a session at Entra which has just ended (OpenID Connect
/// Front-Channel Logout 1.0).
///
/// Entra's sign-out page shows this address in a hidden frame, with `sid`. The request is unsigned,
/// comes from a frame that has no cookies, and can be made by anybody: it may end sessions, but it
/// must never redirect, reveal or set anything, and the answer to a known and an unknown `sid` is
/// the same.
///
/// Each sign-in notes the `sid` that it came with (``Storage/noteProviderSession``), and one that
/// was never noted is heard and forgotten: nothing is written for it, so whoever makes them up
/// fills no disk and uses up nothing that a real one needs. The note lies beside the list of ended
/// sessions: it has to outlive a restart, and to be known to all processes, as that list is.
struct FrontChannelSignOut: Sendable {
    /// For how many seconds after one call further ones for the same `sid` change nothing.
    ///
    /// A `sid` is no secret: as `session_state` it stands in the address of each callback, and in
    /// the logs of other applications. Without a pause, a call each second would end every session
    /// that its owner begins anew.
    static let pause = 300

    let provider: Provider
    let storage: Storage

    func respond(to request: Request, at now: NumericDate) -> Response {
        guard request.method == .get else { return Response(.methodNotAllowed) }
        let done = Response(.ok, contentType: "text/plain; charset=utf-8")
        guard let form = Form(request.query),
            let sid = form["sid"].flatMap(DisplayText.guid), isOurs(form["iss"])
        else { return done }
        let name = Revocation.providerSession(guid: sid).name
        guard let isKnown = storage.knowsProviderSession(name) else {
            let reason = "the list of sessions at the provider cannot be read"
            return done.logging(.error, "front-channel sign-out not done: \(reason)", as: .problem)
        }
        guard isKnown, !wasCalled(name, since: now - Self.pause) else { return done }
        guard storage.revoke(name) else {
            let reason = "the list of ended sessions cannot be written"
            return done.logging(.error, "front-channel sign-out not done: \(reason)", as: .problem)
        }
        return done.logging(
            .notice,
            "signed out sid '\(sid.prefix(8))…' by front channel",
            as: .revocation
        )
    }

    /// Entra does not say who it is, though the standard wants `iss` and `sid` or neither.
    private func isOurs(_ issuer: String?) -> Bool {
        guard let issuer else { return true }
        return provider.known?.admits(issuer) ?? false
    }

    private func wasCalled(_ name: String, since time: NumericDate) -> Bool {
        // Where the list cannot be read, the writing that follows is what fails.
        guard let date = storage.revocations([name])?.first ?? nil else { return false }
        return date > time
    }
}

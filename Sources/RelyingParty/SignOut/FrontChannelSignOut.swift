import HTTPTypes
import SiteauthConfiguration
import Synchronization

/// Ends the sessions that came from a session at the provider that has just ended (OpenID Connect
/// Front-Channel Logout 1.0).
///
/// Entra's sign-out page loads this address in a hidden frame, with `sid`. The request is unsigned,
/// has no cookies, and anybody can make it. So it may end sessions, but must never redirect, reveal
/// or set anything, and a known and an unknown `sid` get the same answer.
///
/// Each sign-in records its `sid` (``Storage/noteProviderSession``). A `sid` that was never
/// recorded is ignored and nothing is written, so an attacker who invents them fills no disk and
/// takes no space from real ones. It costs one look-up and is not counted against anybody: a limit
/// would let a flood of them keep out the real one of a colleague in the same network. The records
/// are stored beside the list of ended sessions, because
/// all processes need both, also after a restart.
struct FrontChannelSignOut: Sendable {
    /// Seconds after one call in which further calls for the same `sid` change nothing.
    ///
    /// A `sid` is not secret: as `session_state` it is in the address of each callback, and in the
    /// logs of other applications. Without a pause, a call each second would end every session that
    /// its owner starts.
    static let pause = 300

    let provider: Provider
    let storage: Storage
    let reports = Reports()

    /// Anybody can call, so while the lists cannot be used, not each call is logged.
    final class Reports: Sendable {
        private let last = Mutex<NumericDate?>(nil)

        func isDue(at now: NumericDate) -> Bool {
            last.withLock { last in
                if let date = last, (0..<60).contains(now - date) { return false }
                last = now
                return true
            }
        }
    }

    func respond(to request: Request, at now: NumericDate) -> Response {
        guard request.method == .get else { return Response(.methodNotAllowed) }
        let done = Response(.ok, contentType: "text/plain; charset=utf-8")
        guard let form = Form(request.query),
            let sid = form["sid"].flatMap(DisplayText.sessionID), isOurs(form["iss"])
        else { return done }
        let name = Revocation.providerSession(sid).name
        guard let isKnown = storage.knowsProviderSession(name) else {
            return failed(done, "the list of sessions at the provider cannot be read", at: now)
        }
        guard isKnown, !wasCalled(name, since: now - Self.pause) else { return done }
        guard storage.revoke(name) else {
            return failed(done, "the list of ended sessions cannot be written", at: now)
        }
        return done.logging(
            .notice,
            "signed out sid '\(sid.prefix(8))…' by front channel",
            as: .revocation
        )
    }

    private func failed(_ done: Response, _ reason: String, at now: NumericDate) -> Response {
        guard reports.isDue(at: now) else { return done }
        return done.logging(.error, "front-channel sign-out not done: \(reason)")
    }

    /// Whether the issuer is acceptable: Entra sends none, although the standard requires `iss` and
    /// `sid` or neither.
    private func isOurs(_ issuer: String?) -> Bool {
        guard let issuer else { return true }
        return provider.known?.admits(issuer) ?? false
    }

    private func wasCalled(_ name: String, since time: NumericDate) -> Bool {
        // If the list cannot be read, the following write fails and is reported.
        guard let date = storage.revocations([name])?.first ?? nil else { return false }
        return date > time
    }
}

import HTTPTypes
import Synchronization

/// Ends the sessions that came from a session at Entra which has just ended (OpenID Connect
/// Front-Channel Logout 1.0).
///
/// Entra's sign-out page shows this address in a hidden frame, with `sid`. The request is unsigned,
/// comes from a frame that has no cookies, and can be made by anybody: it may end sessions, but it
/// must never redirect, reveal or set anything. A `sid` is a GUID that nobody can guess, and the
/// answer to a known and an unknown one is the same.
final class FrontChannelSignOut: Sendable {
    /// How many a process takes in an hour.
    ///
    /// Each is kept until the longest session is over, so somebody who makes them up could fill a
    /// disk. Those beyond it are heard of at the next revalidation.
    static let maximumPerHour = 20_000

    private let provider: Provider
    private let storage: Storage
    private let taken = Mutex((hour: 0, count: 0))

    init(provider: Provider, storage: Storage) {
        self.provider = provider
        self.storage = storage
    }

    func respond(to request: Request, at now: NumericDate) -> Response {
        guard request.method == .get else { return Response(.methodNotAllowed) }
        let done = Response(.ok, contentType: "text/plain; charset=utf-8")
        guard let form = Form(request.query),
            let sid = form["sid"].flatMap(DisplayText.guid), isOurs(form["iss"])
        else { return done }
        guard mayTake(at: now) else {
            return done.logging(.error, "front-channel sign-out not done: too many in this hour")
        }
        guard storage.revoke(Revocation.providerSession(guid: sid).name) else {
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
        return (try? provider.current())?.metadata.admits(issuer) ?? false
    }

    private func mayTake(at now: NumericDate) -> Bool {
        taken.withLock { taken in
            let hour = now / 3600
            if taken.hour != hour { taken = (hour, 0) }
            taken.count += 1
            return taken.count <= Self.maximumPerHour
        }
    }
}

/// Checks one URL: sends `HEAD`, then `GET` if `HEAD` fails, and follows redirects.
struct ExternalLinkRequest {
    /// The maximum number of redirects.
    static let redirects = 5

    let address: ExternalAddress
    let ask: ExternalLinkCheck.Ask

    func verdict() -> ExternalLinkVerdict {
        var current = address
        var firstStatus: Int?
        for _ in 0...Self.redirects {
            switch answer(of: current) {
            case .status(200..<300, _):
                return firstStatus.map { .moved(to: current.text, status: $0) } ?? .alive
            case .status(let status, let location?)
            where [301, 302, 303, 307, 308].contains(status):
                guard let next = current.following(location) else {
                    return .unclear("redirects to '\(location)', which is not a URL")
                }
                firstStatus = firstStatus ?? status
                current = next
            case .status(let status, _) where status == 404 || status == 410:
                return .dead(status: status)
            case .status(let status, _): return .unclear("answers \(status)")
            case .trouble(let reason): return .unclear("could not be reached: \(reason)")
            case .refusedAsPrivate:
                return firstStatus == nil
                    ? .privateAddress : .unclear("redirects to this machine or a private network")
            }
        }
        return .unclear("redirects more than \(Self.redirects) times")
    }

    /// Servers that do not support `HEAD` answer it in many ways, so any error is asked again with
    /// `GET`.
    private func answer(of address: ExternalAddress) -> ExternalLinkAnswer {
        let answer = ask(address, .head)
        if case .status(let status, _) = answer, status >= 400 { return ask(address, .get) }
        return answer
    }
}

import ArgumentParser
import Diagnostics
import POSIX
import RelyingParty
import SiteauthConfiguration

/// What expires, and when: the credential and the certificates that the operator names.
struct ExpiryCalendar: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Also end with 1 if something expires within this number of days.",
            valueName: "days"
        )
    )
    var expiresWithin: Int?

    @Option(
        help: ArgumentHelp(
            "Also print when this certificate expires, such as the one of the site; repeatable.",
            valueName: "PEM file"
        )
    )
    var certificate: [String] = []

    func validate() throws {
        guard let expiresWithin, !(0...3650).contains(expiresWithin) else { return }
        throw ValidationError("'--expires-within' is \(expiresWithin); it must be 0 to 3650")
    }

    /// Prints the dates.
    ///
    /// - Returns: an error for everything that expires within the given number of days.
    func show(_ configuration: AuthConfiguration) throws -> [String] {
        let credential = configuration.expiry(.live())
        var dates = credential.map { [$0] } ?? []
        for path in certificate {
            do {
                let bytes = try File.read(path, maximumBytes: 1 << 20)
                dates.append(try Expiry(certificate: DecodedText(bytes).utf8, named: path))
            } catch let error as SystemError {
                throw ValidationError("'--certificate' is '\(path)': \(error.reason)")
            } catch {
                throw ValidationError("'--certificate' is '\(path)': \(error)")
            }
        }
        var lines = dates.sorted { $0.time < $1.time }.map { expiry in
            let days = expiry.days(after: Host.time)
            return "\(expiry.day)  '\(expiry.name)', " + (days < 0 ? "expired" : "in \(days) days")
        }
        if credential == nil, case .secret = configuration.credential {
            lines.append(
                "unknown     'client_secret'; copy its date from the provider to 'client_secret_expires'"
            )
        }
        if lines.isEmpty { lines = ["nothing that siteauth knows of"] }
        try StandardOutput.write(
            "What expires:\n" + lines.map { "    \($0)\n" }.joined()
        )
        guard let limit = expiresWithin else { return [] }
        return dates.filter { $0.days(after: Host.time) < limit }.map {
            "'\($0.name)' expires on \($0.day), which is within \(limit) days"
        }
    }
}

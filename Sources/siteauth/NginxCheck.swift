import Diagnostics
import POSIX
import RelyingParty

/// Compares nginx's configuration with that of siteauth.
struct NginxCheck {
    /// The path of `nginx.conf`.
    let path: String
    /// The name of a site of this server.
    let name: String?
    let origin: String

    /// - Returns: a line if nothing could be compared, and a diagnostic for each problem.
    func run() -> (line: String?, diagnostics: [Diagnostic]) {
        let nginx: NginxConfiguration
        do throws(SystemError) { nginx = try NginxConfiguration(path, in: folder) } catch {
            return ("not checked: nginx's configuration; \(error)", [])
        }
        let mine = nginx.sites.filter { $0.variables["$site_origin"]?.value == origin }
        let named = nginx.sites.filter { name != nil && $0.variables["$site"]?.value == name }
        guard !mine.isEmpty || !named.isEmpty else { return absent() }
        var diagnostics = nginx.hasLimits ? [] : [Self.withoutLimits]
        let sockets = Set((mine + named).compactMap(\.checkSocket))
        for server in nginx.sites where server.checkSocket.map(sockets.contains) == true {
            guard let other = server.variables["$site_origin"], other.value != origin else {
                continue
            }
            let place = server.variables["$siteauth_check"] ?? server.variables["$site"]
            let message =
                "nginx asks this siteauth about '\(other.value)', but its 'redirect_uri' is of "
                + "'\(origin)'; each site needs another '$site', and its own siteauth"
            diagnostics.append(Diagnostic(.error, message, at: place?.location ?? other.location))
        }
        if let name, named.isEmpty, let place = mine.first?.variables["$site_origin"] {
            let message =
                "nginx asks another siteauth about '\(origin)'; this server block needs 'set $site "
                + "\(name);'"
            diagnostics.append(Diagnostic(.error, message, at: place.location))
        }
        return (nil, diagnostics)
    }

    private var folder: String { Folder.parent(of: path) }

    private static let withoutLimits = Diagnostic(
        .error,
        "nginx does not read siteauth's 'http.conf', so 'nginx -t' says 'unknown log format \"site\"' "
            + "or 'zero size shared memory zone \"siteauth\"'; the Debian package has it as "
            + "'/etc/nginx/conf.d/siteauth.conf'",
        at: nil,
        notes: [
            Diagnostic.Note(
                "run 'apt-get install --reinstall -o Dpkg::Options::=--force-confmiss siteauth'"
            )
        ]
    )

    /// A site that nginx does not have, or has only in a file that it does not read.
    private func absent() -> (line: String?, diagnostics: [Diagnostic]) {
        let available = "\(folder)/sites-available"
        for file in (try? Folder.names(in: available).sorted()) ?? [] {
            guard let nginx = try? NginxConfiguration("\(available)/\(file)", in: folder),
                let place = nginx.sites.compactMap({ $0.variables["$site_origin"] })
                    .first(where: { $0.value == origin })
            else { continue }
            let message =
                "nginx does not read this file, so nobody reaches '\(origin)'; browsers see a failed "
                + "TLS handshake or 421"
            let remedy =
                "run 'ln -s \(available)/\(file) \(folder)/sites-enabled/' and "
                + "'systemctl reload nginx'"
            return (
                nil,
                [
                    Diagnostic(
                        .warning,
                        message,
                        at: place.location,
                        notes: [Diagnostic.Note(remedy)]
                    )
                ]
            )
        }
        return ("not checked: nginx; it has no server block with '\(origin)' yet", [])
    }
}

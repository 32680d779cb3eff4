/// Entra's rules for redirect URIs (Microsoft, "Redirect URI restrictions and limitations").
enum RedirectURI {
    /// Why Entra would not accept a URI in a registration, or `nil` if it would.
    static func registrationMistake(_ uri: String, audience: Application.Audience) -> String? {
        if uri.count > 256 { return "has more than 256 characters" }
        if uri.contains(where: { "!$'(),;*".contains($0) }) {
            return "has a character that Entra does not accept: ! $ ' ( ) , ; *"
        }
        if audience.takesPersonal, uri.contains("?") {
            return "has a query, which applications for personal accounts may not have"
        }
        if uri.hasPrefix("https://") { return nil }
        if let (host, _) = split(uri), host == "localhost" || host == "127.0.0.1" { return nil }
        return "is not https; http is for localhost only"
    }

    /// The URI that Entra redirects to: a URI without a path gets one.
    static func answered(_ uri: String) -> String {
        guard let scheme = ["https://", "http://"].first(where: uri.hasPrefix),
            !uri.dropFirst(scheme.count).contains("/")
        else { return uri }
        let authority = uri.prefix { $0 != "?" && $0 != "#" }
        return authority + "/" + uri.dropFirst(authority.count)
    }

    /// Whether a URI equals the registered one, except for the port of localhost.
    static func matches(_ uri: String, registered: String) -> Bool {
        if uri == registered { return true }
        guard let (host, rest) = split(uri), let (other, otherRest) = split(registered) else {
            return false
        }
        return host == "localhost" && other == "localhost" && rest == otherRest
    }

    /// Host, and path with what follows, of an http URI.
    private static func split(_ uri: String) -> (host: Substring, rest: Substring)? {
        guard uri.hasPrefix("http://") else { return nil }
        let authority = uri.dropFirst(7).prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        if authority.contains("@") { return nil }
        let host = authority.prefix { $0 != ":" }
        let port = authority[host.endIndex...].dropFirst()
        guard port.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        return (host, uri[authority.endIndex...])
    }
}

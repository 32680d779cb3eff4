import HTTPTypes
import OpenSSL

/// The secret of a preview that other machines may reach: whoever does not have it sees nothing.
///
/// The URL in the terminal carries the key. The first request with it stores the key in a cookie and
/// leads to the same address without the key, so that no history or screenshot contains the key.
public struct PreviewKey: Sendable {
    public let text: String

    /// Makes a new key.
    public init() { text = Digest.hexadecimal(RandomBytes.next(16)) }

    private static let parameter = "key="

    /// Returns nothing if the browser has the key; otherwise what it gets in place of the preview.
    func refusal(of request: HTTPRequest, at authority: LoopbackAuthority) -> PreviewAnswer? {
        // Cookies do not distinguish ports, so that each preview needs a name of its own.
        let cookie = "preview-\(authority.port)"
        if request.cookies(named: cookie).contains(where: fits) { return nil }
        let target = request.path ?? ""
        let path = target.prefix { $0 != "?" }
        let query = target.dropFirst(path.count + 1)
        // Two slashes would begin the name of another host.
        guard query.hasPrefix(Self.parameter), fits(query.dropFirst(Self.parameter.count)),
            path.hasPrefix("/"), !path.hasPrefix("//"), !path.contains("\\")
        else {
            return PreviewAnswer(
                .forbidden,
                text: "Open the URL that 'sitegen serve' has printed; its key opens this preview."
            )
        }
        var answer = PreviewAnswer(location: String(path))
        answer.head.headerFields[.setCookie] = "\(cookie)=\(text); Path=/; HttpOnly; SameSite=Lax"
        return answer
    }

    private func fits(_ candidate: Substring) -> Bool {
        Digest.equal(Array(candidate.utf8), Array(text.utf8))
    }
}

extension HTTPRequest {
    /// The values of all cookies of this name.
    func cookies(named name: String) -> [Substring] {
        // Browsers may send one field for each cookie (RFC 9113, section 8.2.3).
        let pairs = headerFields[values: .cookie].flatMap { $0.split(separator: ";") }
        return pairs.map { $0.drop { $0 == " " } }.filter { $0.hasPrefix("\(name)=") }
            .map { $0.dropFirst(name.count + 1) }
    }
}

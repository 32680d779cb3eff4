import Access
import HTTPTypes

@testable import FastCGI
@testable import RelyingParty
@testable import SiteauthConfiguration

/// What browsers and nginx send to siteauth.
enum RequestTargets {
    static let all: [String: FuzzTarget.Test] = [
        "fastcgi": fastCGI, "cookies": cookies, "form": form, "return-path": returnPath,
        "accept-language": acceptLanguage, "url": url, "requests": requests,
    ]

    // MARK: FastCGI

    private static func requestForm(_ bytes: [UInt8]) -> RequestForm { RequestForm(bytes.span) }

    static func fastCGI(_ bytes: [UInt8]) {
        let form = requestForm(bytes)
        switch form {
        case .incomplete: break
        case .refused:
            for next: UInt8 in [0, 1, 255] {
                expect(requestForm(bytes + [next]) == .refused, "refused bytes stay refused")
            }
        case .complete(let count, _):
            expect(count <= bytes.count, "a request is no longer than what has arrived")
            expect(requestForm(Array(bytes[..<count])) == form, "what follows changes nothing")
            for end in [0, 1, 8, 16, 24, count / 2, count - 1] where end < count {
                let start = requestForm(Array(bytes[..<end]))
                expect(start == .incomplete, "the first \(end) bytes of a request are incomplete")
            }
            expect(areParametersWhole(bytes[..<count]), "each parameter ends within its records")
        }
    }

    /// Reads the parameters as libfcgi does.
    private static func areParametersWhole(_ request: ArraySlice<UInt8>) -> Bool {
        var parameters: [UInt8] = []
        var position = request.startIndex
        while position + 8 <= request.endIndex {
            let count = Int(request[position + 4]) << 8 | Int(request[position + 5])
            let end = position + 8 + count
            guard end <= request.endIndex else { return false }
            if request[position + 1] == 4 { parameters += request[position + 8..<end] }
            position = end + Int(request[position + 6])
        }
        var rest = parameters[...]
        func length() -> Int? {
            guard let first = rest.popFirst() else { return nil }
            if first < 128 { return Int(first) }
            guard rest.count >= 3 else { return nil }
            let more = rest.prefix(3).reduce(Int(first & 127)) { $0 << 8 | Int($1) }
            rest = rest.dropFirst(3)
            return more
        }
        while !rest.isEmpty {
            guard let name = length(), let value = length(), name + value <= rest.count else {
                return false
            }
            rest = rest.dropFirst(name + value)
        }
        return position == request.endIndex
    }

    // MARK: Header fields

    static func cookies(_ bytes: [UInt8]) {
        var input = FuzzInput(bytes)
        let name = ["session", "__Host-session", "browser"][input.index(below: 3)]
        let header = input.text()
        let values = Cookies.values(named: name, in: header)
        expect(values.count <= Cookies.maximumOfOneName, "there are not more than four")
        expect(values.allSatisfy { !$0.contains(UInt8(ascii: ";")) }, "a value is one cookie's")
        let rest = Cookies.header(header, without: [name])
        let found = Cookies.values(named: name, in: rest, maximum: 1 << 20)
        expect(found.isEmpty, "an application does not get '\(name)': \(rest)")
        expect(names(rest).allSatisfy { $0 != name }, "no pair is called '\(name)': \(rest)")
        let again = Cookies.header(rest, without: [name])
        expect(again.utf8.elementsEqual(rest.utf8), "taking a cookie out twice changes nothing")
        // A cookie of a neighbour does not hide ours.
        let planted = Cookies.values(named: name, in: "\(name)=ours; \(header)")
        if !values.isEmpty, values.count < Cookies.maximumOfOneName {
            expect(planted.first == Array("ours".utf8), "the first cookie is found first")
        }
    }

    /// The names as a lenient server reads them.
    private static func names(_ header: String) -> [String] {
        header.utf8.split(separator: UInt8(ascii: ";")).map { pair in
            let name = pair.prefix { $0 != UInt8(ascii: "=") }
            let start = name.drop(while: isSpace).reversed().drop(while: isSpace)
            return String(decoding: Array(start.reversed()), as: UTF8.self)
        }
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 32 || byte == 9 }

    /// `application/x-www-form-urlencoded` (URL Standard, section 5.1), by bytes.
    static func form(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        if let form = Form(text) {
            var seen: Set<[UInt8]> = []
            for pair in text.utf8.split(separator: UInt8(ascii: "&")) {
                let name = decoded(pair.prefix { $0 != UInt8(ascii: "=") })
                let value = decoded(pair.drop { $0 != UInt8(ascii: "=") }.dropFirst())
                expect(seen.insert(name).inserted, "no name occurs twice: \(text)")
                let read = form.present(String(decoding: name, as: UTF8.self))
                expect(read.map { Array($0.utf8) } == value, "another program reads the same")
            }
        }
        var input = FuzzInput(bytes)
        let parameters = [("name", input.text()), ("state", input.text()), ("é&=", input.text())]
        guard parameters.allSatisfy({ !$0.1.utf8.contains(0) }) else { return }
        let written = Form(Form.encode(parameters))
        for (name, value) in parameters where Form.encode(parameters).utf8.count <= 64 << 10 {
            let read = written?.present(name)
            expect(read.map { Array($0.utf8) } == Array(value.utf8), "what is written is read")
        }
    }

    private static func decoded(_ text: Substring.UTF8View) -> [UInt8] {
        let text = Array(text)
        var bytes: [UInt8] = []
        var index = 0
        while index < text.count {
            let digits = text[(index + 1)...].prefix(2)
            let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
            if text[index] == UInt8(ascii: "%"), digits.count == 2, let value {
                bytes.append(value)
                index += 3
            } else {
                bytes.append(text[index] == UInt8(ascii: "+") ? 32 : text[index])
                index += 1
            }
        }
        return bytes
    }

    private static let languages = ReaderLanguages(
        """
        {"languages": [
          {"tag": "en", "direction": "ltr", "texts": {"Sign in": "Sign in"}},
          {"tag": "de", "direction": "ltr", "texts": {"Sign in": "Anmelden"}},
          {"tag": "zh-Hant", "direction": "ltr", "texts": {}},
          {"tag": "he", "direction": "rtl", "texts": {}}]}
        """
    )

    static func acceptLanguage(_ bytes: [UInt8]) {
        let languages = require(languages, "language")
        var input = FuzzInput(bytes)
        let header = input.text()
        let found = languages.preferred(header)
        expect(languages.languages.contains(found), "the language is one of the site's")
        for language in languages.languages {
            let first = languages.preferred("\(language.tag);q=1,\(header)")
            let isAlone = !header.contains("=")
            expect(!isAlone || first == language, "the first of several equal ones is taken")
            let refused = languages.preferred("\(language.tag);q=0")
            expect(refused == languages.languages[0], "what is refused is not preferred")
        }
        let file = ReaderLanguages(input.text())
        expect(file?.languages.isEmpty != true, "a file of languages has one")
        let fetch = FetchMetadata(
            method: "GET",
            mode: input.byte() & 1 == 0 ? nil : header,
            accept: header,
            requestedWith: input.text()
        )
        expect(!fetch.isNavigation || fetch.isForPage, "a navigation is for a page")
        _ = HTTPDate.seconds(header)
        let network = ClientNetwork.name(of: header)
        expect(network.utf8.count <= header.utf8.count + 12, "no longer than an address")
    }

    // MARK: URLs

    static func returnPath(_ bytes: [UInt8]) {
        var input = FuzzInput(bytes)
        let callback = ["/auth/callback", "/cb", "/oidc/callback"][input.index(below: 3)]
        let wanted = input.text()
        let path = ReturnPath.sanitize(wanted, callbackPath: callback)
        let isKept = path.utf8.elementsEqual(wanted.utf8)
        expect(isKept || path == ReturnPath.home, "nothing is repaired: \(path)")
        let origin = "https://intranet.example.com"
        // With our origin in front, as siteauth redirects, and alone, as a link would have it; also
        // decoded once and twice, as some programs do.
        var layer = Array(path.utf8)
        for _ in 0..<3 {
            for text in [Array(origin.utf8) + layer, layer] {
                let target = BrowserURL(text, base: origin)
                expect(target?.origin == origin, "\(path) stays on the site")
                expect(target?.path.first != "" || target?.path.count == 1, "no host: \(path)")
                let ours = (target?.pathText ?? "").lowercased()
                let isAccount = ours == "/auth/account"
                expect(isAccount || !ours.hasPrefix("/auth/"), "no page of siteauth: \(path)")
                let isCallback = target?.pathText.utf8.elementsEqual(callback.utf8) == true
                expect(!isCallback, "not the callback: \(path)")
            }
            // The query is never decoded before the path is known.
            let end = layer.firstIndex(of: UInt8(ascii: "?")) ?? layer.endIndex
            let text = String(decoding: layer[..<end], as: UTF8.self)
            guard let decoded = PercentEncoding.bytes(text) else { return }
            layer = decoded + layer[end...]
        }
        expect(!path.utf8.contains { $0 < 32 || $0 == 127 }, "no second header field: \(path)")
    }

    static func url(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        guard let url = WebURL(text) else { return }
        let again = WebURL(url.text)
        expect(again == url, "a URL that is written is read as the same: \(text)")
        expect(url.scheme == "https" || url.isLoopback, "no other machine without TLS: \(text)")
        guard let target = BrowserURL(bytes, base: "https://base.example") else { return }
        expect(target.host == url.host, "a browser goes to '\(target.host)', not to '\(url.host)'")
    }

    // MARK: Whole requests

    private static let world = try? World()
    private static let routes: [Route] = [
        .signIn, .callback, .signOut, .signedOut, .frontChannelSignOut, .forbidden, .account, .me,
        .keys,
    ]

    static func requests(_ bytes: [UInt8]) {
        let world = require(world, "world")
        world.state.withLock { $0.siteCookies = [:] }
        var input = FuzzInput(bytes)
        let route = routes[input.index(below: routes.count)]
        let method: HTTPRequest.Method = input.byte() & 1 == 0 ? .get : .post
        let (query, cookie, wanted) = (input.text(), input.text(), input.text())
        var fields = World.navigation
        for name in [HTTPField.Name.cookie, .acceptLanguage, .origin, .referer, .secPurpose] {
            let value = name == .cookie ? cookie : input.text()
            if !value.isEmpty { fields[name] = value }
        }
        let response = world.send(
            route,
            method,
            query: query,
            fields: fields,
            body: input.text(),
            wanted: wanted
        )
        expect(response.http.status.code < 500, "\(route) answers \(response.http.status)")
        for field in response.http.headerFields {
            expect(!field.value.utf8.contains { $0 < 32 || $0 == 127 }, "one line: \(field)")
        }
        if let location = response.http.headerFields[.location] {
            let target = BrowserURL(Array(location.utf8), base: "http://localhost:8080")
            let known = ["http://localhost:8080", "http://localhost:8081"]
            expect(known.contains(target?.origin ?? ""), "redirects to \(location)")
        }
        let text = String(decoding: response.body, as: UTF8.self)
        expect(!text.contains("<script"), "no script in a page")
        for path in ["/", "/hr/", "/board/x"] {
            let status = world.check(path, cookie: cookie)
            expect(status == .unauthorized, "\(path) is open with the cookie \(cookie)")
        }
        for event in response.events {
            expect(!event.text.utf8.contains { $0 < 32 || $0 == 127 }, "one line: \(event.text)")
        }
    }
}

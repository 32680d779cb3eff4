import HTTPTypes
import Jansson
import OpenSSL
import Synchronization

@testable import EntraEmulator

/// The emulator's file of tenants, and requests to it.
enum EmulatorTargets {
    static let all: [String: FuzzTarget.Test] = [
        "tenants": tenants, "emulator-requests": emulatorRequests,
        "emulator-queries": queryItems,
    ]

    static func tenants(_ bytes: [UInt8]) {
        let (directory, diagnostics) = Directory.parse(bytes, path: "tenants.toml")
        expect(directory == nil || diagnostics.isEmpty, "a file with a mistake is not used")
        expect(directory != nil || !diagnostics.isEmpty, "a file that is not used has a mistake")
        for diagnostic in diagnostics {
            expect(diagnostic.location?.path == "tenants.toml", "\(diagnostic)")
        }
        guard let directory else { return }
        expect(!directory.tenants.isEmpty, "there is a tenant")
        let ids = directory.tenants.map(\.id)
        expect(Set(ids).count == ids.count, "tenants have ids of their own")
        for application in directory.tenants.flatMap(\.applications) {
            for uri in application.redirectURIs {
                let mistake = RedirectURI.registrationMistake(uri, audience: application.audience)
                expect(mistake == nil, "Entra registers '\(uri)'")
            }
        }
    }

    private static let directory = require(
        Directory.parse(Array(Directory.builtIn.utf8), path: "").directory,
        "directory"
    )
    private static let keys = require(try? SigningKeys(for: directory), "keys")
    private static let emulator = Emulator(
        directory,
        base: require(Origin("http://localhost:8081"), "origin"),
        keys: keys,
        now: { 1_800_000_000 },
        random: { Digest.sha256([7]).prefix($0) + Array(repeating: 3, count: max(0, $0 - 32)) }
    )

    private static let tenant = "11111111-aaaa-4000-8000-000000000001"

    /// Two requests of one browser; the second gets the cookie of the first.
    static func emulatorRequests(_ bytes: [UInt8]) {
        let emulator = emulator
        var input = FuzzInput(bytes)
        var cookie: String?
        for _ in 0..<2 where !input.rest.isEmpty {
            let kind = input.byte()
            let path = input.text().replacing("TENANT", with: tenant)
            var fields: HTTPFields = [:]
            let (authorization, origin) = (input.text(), input.text())
            if !authorization.isEmpty { fields[.authorization] = authorization }
            if !origin.isEmpty { fields[.origin] = origin }
            if let cookie { fields[.cookie] = cookie }
            let request = HTTPRequest(
                method: kind & 1 == 0 ? .get : .post,
                scheme: "http",
                authority: kind & 2 == 0 ? "localhost:8081" : input.text(),
                path: path,
                headerFields: fields
            )
            let response = emulator.respond(to: EmulatorRequest(request, body: input.part()))
            check(response, to: path)
            cookie = response.http.headerFields[.setCookie].map { String($0.prefix { $0 != ";" }) }
        }
    }

    private static func check(_ response: EmulatorResponse, to path: String) {
        let status = response.http.status.code
        expect(status < 500, "\(path) is answered with \(status)")
        for field in response.http.headerFields {
            expect(!field.value.utf8.contains { $0 < 32 || $0 == 127 }, "one line: \(field)")
        }
        let type = response.http.headerFields[.contentType] ?? ""
        // Our own reader refuses a NUL, which JSON allows (RFC 8259, section 7).
        if type.contains("json"), !response.body.contains(Array("\\u0000".utf8)) {
            expect((try? JSON(parsing: response.body)) != nil, "JSON is JSON: \(path)")
        }
        guard let location = response.http.headerFields[.location] else { return }
        let registered = directory.tenants.flatMap(\.applications).flatMap(\.redirectURIs)
        let isRegistered = registered.contains { uri in
            location.utf8.starts(with: uri.utf8) || location.hasPrefix("http://localhost")
        }
        let isOwn = location.hasPrefix("/") && !location.hasPrefix("//")
        expect(isRegistered || isOwn, "\(path) redirects to \(location)")
    }

    static func queryItems(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        let items = QueryItems(text)
        _ = items["client_id"]
        let value = String(text.prefix(100))
        let written = QueryItems.encode([("a b", value), ("c", "d&e=f")])
        let read = QueryItems(written)
        expect(read["c"] == "d&e=f", "what is written is read: \(written)")
        let isEmpty = value.isEmpty
        let same = read["a b"].map { Array($0.utf8) } == Array(value.utf8)
        expect(isEmpty || same, "what is written is read: \(written)")
    }
}

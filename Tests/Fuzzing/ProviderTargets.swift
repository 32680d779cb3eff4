import HTTPTypes
import JOSE
import Jansson
import OpenSSL

@testable import RelyingParty
@testable import SiteauthConfiguration

/// What a provider answers, or somebody in its place.
enum ProviderTargets {
    static let all: [String: FuzzTarget.Test] = [
        "json": json, "jwt": jwt, "id-token": idToken, "key-set": keySet, "discovery": discovery,
        "token-answer": tokenAnswer, "kept-metadata": keptMetadata,
    ]

    static func json(_ bytes: [UInt8]) {
        guard let json = try? JSON(parsing: bytes) else { return }
        let text = json.text
        let again = try? JSON(parsing: Array(text.utf8))
        expect(again == json, "what is written is read: \(text)")
        expect(again?.text.utf8.elementsEqual(text.utf8) == true, "in one spelling: \(text)")
        if let members = json.members {
            expect(Set(members.names).count == members.names.count, "no member occurs twice")
        }
    }

    // MARK: Tokens

    private static let key = require(TokenFactory.key, "key")
    private static let webKeys = require(
        (try? TokenFactory.webKey()).flatMap { key in
            JSONWebKeySet(parsing: Array(JSON.object(["keys": .array([key])]).text.utf8))
        },
        "key set"
    )

    static func jwt(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        if let message = JSONWebSignature(compact: text) {
            expect(message.unverifiedHeader.algorithm == .rs256, "RS256 only: \(text)")
            for part in text.split(separator: ".", omittingEmptySubsequences: false) {
                let again = Base64URL.decode(part).map { Base64URL.encode($0) } ?? "-"
                expect(again.utf8.elementsEqual(part.utf8), "one spelling: \(text)")
            }
            expect(webKeys.keys[0].verifies(message) == false, "nobody else can sign: \(text)")
        }
        if let name = JSONWebSignature.unverifiedAlgorithm(of: text) {
            expect(name.utf8.allSatisfy { (33...126).contains($0) }, "a name for the log: \(name)")
        }
        // The header of the input, above a signature that is right.
        let head = Base64URL.encode(bytes)
        let input = "\(head).e30"
        let signature = (try? key.signature(of: Array(input.utf8), scheme: .pkcs1)) ?? []
        let signed = "\(input).\(Base64URL.encode(signature))"
        if let message = JSONWebSignature(compact: signed) {
            let members = (try? JSON(parsing: bytes))?.members
            expect(members?["alg"]?.string == "RS256", "only what says RS256")
            expect(members?["crit"] == nil, "no extension is understood")
            expect(webKeys.keys[0].verifies(message), "what was signed is verified")
        }
    }

    private static let metadata = require(try? TokenFactory.metadata(), "metadata")

    /// Claims that are signed with the right key are accepted only as they should be.
    static func idToken(_ bytes: [UInt8]) {
        let head = Base64URL.encode(Array(#"{"alg":"RS256","kid":"k1","typ":"JWT"}"#.utf8))
        let input = "\(head).\(Base64URL.encode(bytes))"
        guard let signature = try? key.signature(of: Array(input.utf8), scheme: .pkcs1) else {
            return
        }
        let validation = IDTokenValidation(
            metadata: metadata,
            clientID: TokenFactory.client,
            allowedTenants: .unspecified,
            now: TokenFactory.now,
            nonce: "the-nonce"
        )
        let token: VerifiedIDToken
        do {
            token = try validation.verify(
                "\(input).\(Base64URL.encode(signature))",
                keys: { (_) throws(ProviderError) in webKeys.keys },
                newKeys: { (_) throws(ProviderError) in [] }
            )
        } catch {
            let text = "\(error)"
            expect(text.utf8.count < 4096 + bytes.count * 4, "a refusal is short")
            return
        }
        let claims = (try? JSON(parsing: bytes))?.members
        expect(claims?["iss"] == .string(TokenFactory.issuer), "iss")
        let audience = claims?["aud"]
        let ours = JSON.string(TokenFactory.client)
        expect(audience == ours || audience == .array([ours]), "aud")
        expect(claims?["azp"] == nil || claims?["azp"] == ours, "azp")
        expect(claims?["nonce"] == "the-nonce", "nonce")
        expect(claims?["ver"] == nil || claims?["ver"] == "2.0", "ver")
        expect(claims?["tid"]?.string?.lowercased() == TokenFactory.tenant, "tid")
        let (skew, now) = (Sessions.clockSkew, TokenFactory.now)
        expect((claims?["exp"]?.integer ?? 0) > now - skew, "exp")
        expect((claims?["nbf"]?.integer ?? 0) <= now + skew, "nbf")
        expect((claims?["iat"]?.integer ?? .max) <= now + skew, "iat")
        expect(DisplayText.guid(token.objectID) == token.objectID, "oid")
        expect(token.objectID == claims?["oid"]?.string?.lowercased(), "oid")
        let name = token.token.name
        expect(name.utf8.count <= 512, "a name has an end")
        expect(!name.unicodeScalars.contains { $0.value < 32 || $0.value == 127 }, "one line")
    }

    static func keySet(_ bytes: [UInt8]) {
        if let set = JSONWebKeySet(parsing: bytes) {
            expect((1...1000).contains(set.keys.count), "a key set has 1 to 1000 keys")
            for key in set.keys.prefix(20) {
                guard let name = key.keyID else { continue }
                expect(set.keys(named: name).contains { $0.keyID == name }, "a key is found")
                expect(name.utf8.count <= 256, "a name has an end")
            }
        }
        // A key as the input has it, beside the one that signed.
        guard let json = try? JSON(parsing: bytes), let key = JSONWebKey(json) else { return }
        let members = json.members
        expect(["RSA", "EC", "OKP"].contains(members?["kty"]?.string), "kty")
        expect(members?["d"] == nil, "no private half")
        expect(members?["use"] == nil || members?["use"] == "sig", "use")
        let name = members?["alg"]?.string
        expect(
            members?["alg"] == nil || name.flatMap(SignatureAlgorithm.init(named:)) != nil,
            "alg"
        )
        guard members?["kty"] == "RSA" else { return }
        let modulus = Base64URL.decode(members?["n"]?.string ?? "") ?? []
        let bits = modulus.count * 8 - (modulus.first?.leadingZeroBitCount ?? 0)
        expect(PublicKey.modulusBits.contains(bits), "a modulus of \(bits) bits")
        _ = key
    }

    // MARK: Documents

    private static let urls = [
        "https://login.microsoftonline.com/\(TokenFactory.tenant)/v2.0", "https://id.example.com",
        "https://login.microsoftonline.com/organizations/v2.0", "http://localhost:8081/a",
        "https://example.ciamlogin.com/example.onmicrosoft.com/v2.0",
    ].map { require(WebURL($0 + "/.well-known/openid-configuration"), $0) }

    static func discovery(_ bytes: [UInt8]) {
        for url in urls {
            switch ProviderMetadata.parse(bytes, from: url) {
            case .failure(let error):
                expect(!error.description.isEmpty, "an error has words")
            case .success(let metadata):
                let all = [
                    metadata.authorizationEndpoint, metadata.tokenEndpoint, metadata.keySetURL,
                    metadata.endSessionEndpoint, metadata.userInfoEndpoint, metadata.graph,
                ]
                for endpoint in all.compactMap({ $0 }) {
                    expect(endpoint.isLoopback == url.isLoopback, "\(endpoint) of \(url)")
                    expect(endpoint.scheme == "https" || url.isLoopback, "\(endpoint) of \(url)")
                }
                checkIssuer(metadata, url)
            }
        }
    }

    /// The issuer is that of the URL, whatever else the document says.
    private static func checkIssuer(_ metadata: ProviderMetadata, _ url: WebURL) {
        let host = WebURL(metadata.issuer.replacing("{tenantid}", with: "t"))?.host
        switch url.host {
        case "login.microsoftonline.com":
            expect(host == url.host, "\(metadata.issuer) of \(url.text)")
            let isTemplate = metadata.issuer.contains("{tenantid}")
            expect(isTemplate == (url.firstSegment == "organizations"), metadata.issuer)
        case "id.example.com":
            let issuer = metadata.issuer
            let isOurs = issuer == "https://id.example.com" || issuer == "https://id.example.com/"
            expect(isOurs, issuer)
        default: break
        }
        expect(metadata.admits(metadata.issuer), "an issuer admits itself")
        expect(!metadata.admits("https://evil.example/\(TokenFactory.tenant)/v2.0"), "others")
    }

    private static let configuration = require(try? World(), "world").relyingParty.configuration

    static func tokenAnswer(_ bytes: [UInt8]) {
        let status = [200, 200, 400, 401, 429, 500][Int(bytes.first ?? 0) % 6]
        let body = Array(bytes.dropFirst())
        let environment = Environment(now: { 0 }, random: RandomBytes.next) { _, _ in
            (HTTPResponse(status: .init(code: status)), body)
        }
        let exchange = TokenExchange(configuration: configuration, environment: environment)
        let members = (try? JSON(parsing: body))?.members
        do throws(TokenExchange.Failure) {
            let endpoint = urls[0]
            let proof = ClientProof()
            let tokens = try exchange.tokens(code: "c", verifier: "v", proof: proof, at: endpoint)
            expect(status == 200, "only an answer with the status 200 has tokens")
            expect(members?["token_type"]?.string?.lowercased() == "bearer", "token_type")
            expect(members?["id_token"] == .string(tokens.idToken), "id_token")
            expect(members?["error"] == nil, "an error is no success")
        } catch {
            switch error {
            case .refused(let refusal, _):
                let texts = [refusal.summary, refusal.explainedLogText, refusal.logText]
                for text in texts.map({ Event(level: .warning, text: $0).text }) {
                    expect(!text.utf8.contains { $0 < 32 || $0 == 127 }, "one line: \(text)")
                    expect(text.utf8.count < 4096, "a line has an end: \(text.utf8.count)")
                }
            case .unreachable(let text), .unavailable(let text), .unusable(let text):
                let line = Event(level: .warning, text: text).text
                expect(!line.utf8.contains { $0 < 32 || $0 == 127 }, "one line: \(line)")
            }
        }
    }

    static func keptMetadata(_ bytes: [UInt8]) {
        let now = 1_800_000_000
        checkKept(bytes, at: now)
        var input = FuzzInput(bytes)
        let url = urls[input.index(below: urls.count)]
        let age = Int(input.byte()) << 9
        let kept: JSON = [
            "version": 1, "metadata_url": .string(url.text), "fetched_at": .integer(now - age),
            "document": .string(input.text()), "key_set": .string(input.text()),
        ]
        checkKept(Array(kept.text.utf8), at: now)
    }

    private static func checkKept(_ bytes: [UInt8], at now: Int) {
        for url in urls {
            guard let kept = CachedMetadata(parsing: bytes, for: url, at: now) else { continue }
            let snapshot = kept.snapshot
            expect((0...now).contains(snapshot.fetchedAt), "not from the future")
            expect(now - snapshot.fetchedAt < 24 * 3600, "not older than a day")
            checkIssuer(snapshot.metadata, url)
            let written = kept.bytes(for: url)
            let again = CachedMetadata(parsing: written, for: url, at: now)
            expect(again?.snapshot.metadata == snapshot.metadata, "what is kept is read")
            expect(again?.snapshot.fetchedAt == snapshot.fetchedAt, "with its time")
        }
    }
}

extension JSONWebKey {
    fileprivate func verifies(_ message: JSONWebSignature) -> Bool {
        message.verified(by: self) != nil
    }
}

import Access
import HTTPTypes
import JOSE
import Jansson
import Testing

@testable import RelyingParty

/// A provider lies, or somebody between it and siteauth does: each member of each document is
/// absent, of every wrong type, too long, wrong, or there twice.
@Suite struct HostileProviderTests {
    @Test(arguments: HostileProvider.Kind.allCases)
    func `an honest provider signs its reader in`(kind: HostileProvider.Kind) throws {
        let outcome = try HostileProvider(kind: kind).signIn()
        #expect(outcome.root == .noContent && outcome.board == .forbidden)
        #expect(outcome.hr == .noContent, "\(outcome.response.events)")
        #expect(outcome.objectID == (kind.isEntra ? Person.alice : "subject"))
        // Another's signature, or none.
        for signature in [[], [UInt8](repeating: 0, count: 64), [UInt8](repeating: 1, count: 256)] {
            let provider = HostileProvider(kind: kind) { document, members in
                guard document == .answer, let token = members["id_token"]?.string else {
                    return nil
                }
                let signed = token.split(separator: ".").dropLast().joined(separator: ".")
                members["id_token"] = .string("\(signed).\(Base64URL.encode(signature))")
                return nil
            }
            #expect(try provider.signIn().root == .unauthorized)
        }
    }

    /// What nobody allowed is refused, whoever has signed.
    @Test(arguments: HostileProvider.Kind.allCases.filter { !$0.isEntra })
    func `an algorithm signs only where the configuration allows it`(
        kind: HostileProvider.Kind
    ) throws {
        let provider = HostileProvider(kind: kind)
        for algorithm in SignatureAlgorithm.allCases {
            let outcome = try provider.signIn(algorithms: [algorithm.rawValue])
            let isAllowed = algorithm == kind.algorithm
            #expect((outcome.root == .noContent) == isAllowed, "\(kind) \(algorithm)")
            let told = "expected '\(algorithm.rawValue)'; register"
            #expect(isAllowed || outcome.response.events.contains { $0.text.contains(told) })
        }
    }

    /// A domain of the company's own hides Entra from whoever reads the configuration.
    @Test(arguments: [HostileProvider.Kind.ps256, .es256, .ed25519])
    func `Entra signs with RS256 alone, whatever the configuration allows`(
        kind: HostileProvider.Kind
    ) throws {
        let provider = HostileProvider(kind: kind) { document, members in
            if document == .metadata { members["cloud_instance_name"] = "microsoftonline.com" }
            return nil
        }
        let response = try provider.signIn().response
        let told = "is signed with '\(kind.algorithm.rawValue)', expected 'RS256';"
        #expect(response.events.contains { $0.text.contains(told) }, "\(response.events)")
    }

    @Test(arguments: HostileMember.all)
    func `a lie lets nobody in, and what is no lie keeps nobody out`(
        member: HostileMember
    ) throws {
        for kind in HostileProvider.Kind.allCases where member.kinds.contains(kind) {
            for lie in Lie.allCases {
                let provider = HostileProvider(kind: kind) { document, members in
                    document == member.document ? member.tell(lie, in: &members) : nil
                }
                try Self.expect(
                    provider.signIn(),
                    isSession: member.harmless.contains(lie),
                    isHR: member.name != "roles" || lie == .genuine,
                    "\(kind) \(member.testDescription) \(lie)"
                )
            }
        }
    }

    /// The handbook says so.
    @Test func `there are more than 2,500 lies`() {
        let count = HostileMember.all.reduce(0) { $0 + $1.kinds.count * Lie.allCases.count }
        #expect(count > 2500, "\(count)")
    }

    private static func expect(
        _ outcome: HostileProvider.Outcome,
        isSession: Bool,
        isHR: Bool,
        _ what: String
    ) {
        let events = outcome.response.events.map(\.text)
        let what = "\(what): \(outcome.response.http.status) \(events)"
        #expect((outcome.root == .noContent) == isSession, "\(what)")
        #expect(outcome.board != .noContent, "\(what)")
        // No fault of this machine.
        #expect(outcome.response.http.status != .internalServerError, "\(what)")
        if isSession {
            #expect((outcome.hr == .noContent) == isHR, "\(what)")
        } else {
            #expect(outcome.root == .unauthorized && outcome.hr == .unauthorized, "\(what)")
            #expect(outcome.response.page?.showsReference == true, "\(what)")
        }
    }

    /// What the reader sees: two sentences, a number, a way on.
    @Test(arguments: [HostileProvider.Document.metadata, .key, .header, .claims, .answer])
    func `an answer that cannot be used is told as that`(
        document: HostileProvider.Document
    ) throws {
        let name = [
            .metadata: "issuer", .key: "n", .header: "alg", .claims: "aud",
            .answer: "token_type",
        ][document, default: ""]
        let provider = HostileProvider(kind: .entra) { location, members in
            if location == document { members[name] = 7 }
            return nil
        }
        let response = try provider.signIn().response
        #expect(response.http.status == .badGateway, "\(response.events)")
        let page = String(decoding: response.body, as: UTF8.self)
        #expect(page.contains("gave an answer that this site does not accept"))
        #expect(page.contains("5f2c91aa") && page.contains("Try again"))
        #expect(page.split(separator: "<p>").count == 3, "\(page)")
    }

    /// RFC 9207: who answers, in the query of the authorization response.
    @Test(arguments: HostileProvider.Kind.allCases)
    func `an answer that names another issuer, or none where one is due, is refused`(
        kind: HostileProvider.Kind
    ) throws {
        let genuine = "&iss=\(PercentEncoding.encode(kind.issuer))"
        let empty = "&iss="
        let wrong = "&iss=https%3A%2F%2Fevil.example"
        for (callback, isAnnounced, isSession) in [
            (genuine, true, true), (genuine, false, true), ("", false, true), ("", true, false),
            (empty, false, false), (empty, true, false), (wrong, false, false),
            (wrong, true, false), (genuine + wrong, true, false),
        ] {
            let provider = HostileProvider(kind: kind) { document, members in
                guard document == .metadata else { return nil }
                members["authorization_response_iss_parameter_supported"] = .bool(isAnnounced)
                return nil
            }
            let outcome = try provider.signIn(callback: callback)
            #expect((outcome.root == .noContent) == isSession, "\(callback) \(isAnnounced)")
        }
    }

    @Test(arguments: ["JWT", "jwt", "Jwt", "application/jwt", "Application/JWT"])
    func `the type of a token is a media type, whose case says nothing`(type: String) throws {
        let provider = HostileProvider(kind: .entra) { document, members in
            if document == .header { members["typ"] = .string(type) }
            return nil
        }
        #expect(try provider.signIn().root == .noContent)
    }

    @Test(arguments: ["bearer", "BEARER"])
    func `a bearer is one in any case`(type: String) throws {
        let provider = HostileProvider(kind: .standard) { document, members in
            if document == .answer { members["token_type"] = .string(type) }
            return nil
        }
        #expect(try provider.signIn().root == .noContent)
    }

    @Test func `a claim in two spellings is none`() throws {
        for name in ["ISS", "Aud", "NONCE", "exP"] {
            let provider = HostileProvider(kind: .standard) { document, members in
                if document == .claims { members[name] = members[name.lowercased()] }
                return nil
            }
            #expect(try provider.signIn().root == .unauthorized)
        }
    }
}

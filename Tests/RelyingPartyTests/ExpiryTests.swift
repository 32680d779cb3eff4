import Testing

@testable import RelyingParty
@testable import SiteauthConfiguration

/// When the client secret expires, which nobody but the operator can say.
@Suite struct ExpiryTests {
    /// 2027-01-15, the day of the world's clock.
    private static let today = 1_800_000_000

    private static func world(_ date: String) throws -> World {
        try World("client_secret_expires = \(date)")
    }

    @Test(arguments: [
        ("2027-03-01", nil), ("2027-02-01", "expires on"), ("2027-01-01", "expired on"),
    ])
    func `a secret's end is told thirty days before, once a day`(
        date: String,
        expected: String?
    ) throws {
        let world = try Self.world(date)
        let warning = world.relyingParty.credentialWarning()
        #expect(
            warning.map { $0.text.hasPrefix("'client_secret' \(expected ?? "?")") }
                == expected.map { _ in true }
        )
        #expect(world.relyingParty.credentialWarning() == nil)
        world.advance(seconds: 86_400)
        #expect((world.relyingParty.credentialWarning()?.level == .warning) == (expected != nil))
    }

    @Test func `the date is a metric, and absent if nobody has told it`() throws {
        func metric(_ world: World) -> String? {
            let text = String(decoding: world.relyingParty.status(.metrics).body, as: UTF8.self)
            return text.split(separator: "\n").first {
                $0.hasPrefix("siteauth_credential_expires_timestamp_seconds{")
            }.map(String.init)
        }
        let name = "siteauth_credential_expires_timestamp_seconds"
        #expect(
            metric(try Self.world("2027-05-01"))
                == "\(name){credential=\"client_secret\"} 1809129600"
        )
        #expect(metric(try World()) == nil)
    }

    @Test(arguments: [
        "\"2027-05-01\"", "1809129600", "true", "2027-05-01T10:00:00Z", "10:00:00", "[2027-05-01]",
    ])
    func `anything but a date is refused`(value: String) {
        #expect { try Self.world(value) } throws: {
            "\($0)".contains("must be a date, such as 2027-05-01")
        }
    }

    @Test func `a date without a secret is refused`() {
        #expect {
            try World(
                "client_secret_expires = 2027-05-01",
                registration: World.larkspur.replacing(
                    "client_secret = \"emulated~secret.is-no-secret_at-all\"",
                    with: "federated_token_file = \"token\""
                )
            )
        } throws: {
            "\($0)".contains("applies to")
        }
    }

    @Test func `a day is the one that it is written as`() {
        for day in stride(from: -200_000, to: 2_900_000, by: 997) {
            let time = day * 86_400
            let text = String(CalendarTime.text(time + 40_000).prefix { $0 != " " })
            if text.utf8.count == 10 { #expect(CalendarTime.day(text) == time, "\(text)") }
        }
        #expect(CalendarTime.day("2028-02-29") == 1_835_395_200)
        for text in ["2028-02-29T01:02:03Z", "2028-02-29T01:02:03.9999999Z"] {
            #expect(CalendarTime.moment(text) == 1_835_395_200 + 3723, "\(text)")
        }
        for wrong in [
            "", "T", "2028-02-29", "2028-02-29T", "2028-02-29TZ", "2028-02-29T01:02:03",
            "2028-02-29T01:02:03+01:00", "2028-02-29T01:02Z", "2028-02-29T24:00:00Z",
            "2028-02-29T01:60:00Z", "2028-02-29T01:00:61Z", "2028-02-29T1:2:x3Z",
            "2028-02-29T01:02:03ZT", "0000-01-01T00:00:00Z", "2028-02-29 01:02:03Z",
        ] { #expect(CalendarTime.moment(wrong) == nil, "\(wrong)") }
        for wrong in ["", "2027", "2027-13-01", "2027-00-10", "2027-05-32", "a-b-c", "-1-2-3"] {
            #expect(CalendarTime.day(wrong) == nil, "\(wrong)")
        }
    }

    @Test(arguments: [(0, 0), (86_399, 0), (86_400, 1), (-1, -1), (-86_400, -1), (-86_401, -2)])
    func `days are whole ones`(seconds: Int, days: Int) {
        #expect(Expiry("x", at: Self.today + seconds).days(after: Self.today) == days)
    }
}

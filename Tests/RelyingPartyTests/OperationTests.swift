import HTTPTypes
import Testing

@testable import RelyingParty

@Suite struct OperationTests {
    private static func ask(
        _ world: World,
        _ page: StatusPage
    ) -> (status: HTTPResponse.Status, text: String) {
        let response = world.relyingParty.status(page)
        return (response.http.status, String(decoding: response.body, as: UTF8.self))
    }

    @Test func `it is not ready before there are keys, and says why`() throws {
        let world = try World()
        #expect(Self.ask(world, .health).status == .ok)
        let before = Self.ask(world, .ready)
        #expect(before.status == .serviceUnavailable && before.text.contains("keys are missing"))
        #expect(world.relyingParty.refreshProvider()?.kind == .keyRefresh)
        #expect(Self.ask(world, .ready).text == "ready\n")
    }

    @Test func `it is not ready without a policy or a list of ended sessions`() throws {
        let world = try World()
        _ = world.relyingParty.refreshProvider()
        world.state.withLock { $0.currentRelease = "/elsewhere" }
        let policy = Self.ask(world, .ready)
        #expect(policy.status == .serviceUnavailable)
        #expect(policy.text == "the access policy of the current release cannot be read\n")
        world.state.withLock { state in
            state.currentRelease = World.release
            state.isRevocationListReadable = false
        }
        let list = Self.ask(world, .ready)
        #expect(list.text == "the list of ended sessions cannot be read\n")
    }

    @Test func `keys that are too old are none`() throws {
        let world = try World()
        _ = world.relyingParty.refreshProvider()
        world.advance(seconds: Provider.Interval.expiry)
        #expect(Self.ask(world, .ready).status == .serviceUnavailable)
    }

    @Test func `sign-ins, refusals and calls are counted, and nobody is named`() throws {
        let world = try World()
        world.signIn(Person.alice)
        world.send(.callback, query: "code=x&state=y")
        world.relyingParty.metrics.countCheck(.noContent, nanoseconds: 30_000)
        world.relyingParty.metrics.countCheck(.unauthorized, nanoseconds: 3_000_000_000)
        let text = Self.ask(world, .metrics).text
        for line in [
            #"siteauth_sign_ins_total{outcome="begun"} 1"#,
            #"siteauth_sign_ins_total{outcome="signed_in"} 1"#,
            #"siteauth_sign_ins_total{outcome="refused"} 1"#,
            #"siteauth_events_total{event="sign_in",level="notice"} 1"#,
            #"siteauth_checks_total{verdict="allowed"} 1"#,
            #"siteauth_checks_total{verdict="sign_in_required"} 1"#,
            #"siteauth_check_duration_seconds_bucket{le="0.000025"} 0"#,
            #"siteauth_check_duration_seconds_bucket{le="0.00005"} 1"#,
            #"siteauth_check_duration_seconds_bucket{le="0.1"} 1"#,
            #"siteauth_check_duration_seconds_bucket{le="+Inf"} 2"#,
            "siteauth_check_duration_seconds_sum 3.00003",
            "siteauth_check_duration_seconds_count 2",
            #"siteauth_provider_calls_total{endpoint="metadata",outcome="answered"} 1"#,
            #"siteauth_provider_calls_total{endpoint="keys",outcome="answered"} 1"#,
            #"siteauth_provider_calls_total{endpoint="token",outcome="answered"} 1"#,
            "siteauth_keys_age_seconds 0",
        ] {
            #expect(text.contains(line + "\n"), "\(line)")
        }
        for secret in [Person.alice, "Alice", "alice", "code", "22222222"] {
            #expect(!text.contains(secret))
        }
    }

    @Test func `a provider that is not reached is counted as that`() throws {
        let world = try World()
        world.state.withLock { $0.sendsLeft = 0 }
        world.send(.signIn, wanted: "/")
        let text = Self.ask(world, .metrics).text
        let call = #"siteauth_provider_calls_total{endpoint="metadata",outcome="unreachable"} 1"#
        #expect(text.contains(call))
        #expect(text.contains(#"siteauth_sign_ins_total{outcome="provider_unreachable"} 1"#))
    }

    /// Each sample belongs to a metric that was announced with type and help, once.
    @Test func `metrics have the form that Prometheus reads`() throws {
        var announced: Set<String> = []
        for line in Self.ask(try World(), .metrics).text.split(separator: "\n") {
            let words = line.split(separator: " ")
            if line.hasPrefix("# TYPE ") {
                #expect(announced.insert(String(words[2])).inserted)
            } else if !line.hasPrefix("#") {
                var name = String(line.prefix { $0 != "{" && $0 != " " })
                for suffix in ["_bucket", "_sum", "_count"]
                where name.hasSuffix(suffix) && !announced.contains(name) {
                    name.removeLast(suffix.count)
                }
                #expect(announced.contains(name), "\(line)")
                #expect(words.last.flatMap { Double(String($0)) } != nil, "\(line)")
            }
        }
        #expect(announced.count >= 8)
    }

    @Test func `a label cannot leave its quotes`() {
        #expect(MetricsText.escape("a\"b\\c\nd") == #"a\"b\\c\nd"#)
    }

    @Test(arguments: [
        (UInt64(0), "0"), (1, "0.000000001"), (1_500_000_000, "1.5"), (2_000_000_000, "2"),
    ])
    func `seconds are exact`(nanoseconds: UInt64, text: String) {
        #expect(MetricsText.seconds(nanoseconds: nanoseconds) == text)
    }
}

import HTTPTypes
import Testing

@testable import EntraEmulator
@testable import RelyingParty

/// What readers and operators are told when Entra refuses.
@Suite struct RefusalTests {
    /// OAuth's `error`, `error_subcode` or `suberror`, the status and a piece of the page.
    @Test(arguments: [
        ("access_denied", "cancel", 403, "administrator has to approve"),
        ("access_denied", nil, 403, "blocked this sign-in"),
        ("consent_required", nil, 403, "not approved this site yet"),
        ("invalid_grant", "consent_required", 403, "not approved this site yet"),
        ("interaction_required", nil, 403, "requires one more step"),
        ("invalid_grant", "basic_action", 403, "requires one more step"),
        ("invalid_grant", "bad_token", 400, "Please sign in again"),
        ("account_selection_required", nil, 403, "Use another account"),
        ("login_required", nil, 400, "Please sign in again"),
        ("unauthorized_client", nil, 403, "does not know this site"),
        ("invalid_client", nil, 502, "not set up correctly"),
        ("invalid_request", nil, 502, "not set up correctly"),
        ("invalid_scope", nil, 502, "not set up correctly"),
        ("unsupported_response_type", nil, 502, "not set up correctly"),
        ("temporarily_unavailable", nil, 503, "sign-in service is busy"),
        ("server_error", nil, 503, "sign-in service is busy"),
        ("made_up", "<script>", 502, "not set up correctly"),
    ])
    func `a reader is told by the kind of error`(
        error: String,
        subcode: String?,
        status: Int,
        text: String
    ) throws {
        let description =
            "AADSTS1: A secret of <b>somebody</b>. Trace ID: 00000000-1111-2222-3333-444444444444"
            + " Correlation ID: 55555555-6666-7777-8888-999999999999 Timestamp: 2026-11-22 10:00:00Z"
        let refusal = OAuthErrorResponse(error: error, description: description, subcode: subcode)
        let request = Request(
            route: .callback,
            method: .get,
            query: "",
            headerFields: World.navigation,
            body: [],
            wantedURI: nil,
            release: nil,
            reference: "5f2c91aa"
        )
        let response = ReaderPage.refused(refusal, returnPath: "/hr/", request)
        #expect(response.http.status.code == status)
        let page = response.page?.framed(.english, request).content ?? ""
        #expect(page.contains(text))
        #expect(page.contains("55555555-6666-7777-8888-999999999999"))
        #expect(page.contains("00000000-1111-2222-3333-444444444444"))
        // Never the text itself, nor the number.
        #expect(!page.contains("somebody") && !page.contains("AADSTS"))
        #expect(response.http.headerFields[.cacheControl] == "no-store")
    }

    @Test func `an operator is told what to do, and where Microsoft explains it`() {
        let refusal = OAuthErrorResponse(
            error: "invalid_client",
            description: "AADSTS7000222: The provided client secret keys are expired.",
            subcode: nil
        )
        #expect(
            refusal.logText
                == "'invalid_client' AADSTS7000222; 'client_secret' has expired; create a new one under"
                + " 'Certificates & secrets', or use a certificate; https://login.microsoftonline.com/error?code=7000222"
        )
    }

    @Test func `every number that the emulator knows has a hint`() {
        let own = [50126, 90090, 500_113]
        for number in 16000..<100_000 where !own.contains(number) {
            guard ProtocolError.catalogued(number) != nil else { continue }
            let refusal = OAuthErrorResponse(error: "x", description: "AADSTS\(number): …")
            #expect(refusal.remedy != nil, "\(number)")
        }
    }

    @Test(arguments: ["AADSTS", "AADSTS99999999", "AADSTSx"])
    func `an unknown number has none`(number: String) {
        #expect(OAuthErrorResponse(error: "x", description: "\(number): …").remedy == nil)
    }

    /// What is no GUID is not an id.
    @Test func `ids are let through as ids only`() {
        let refusal = OAuthErrorResponse(
            error: "x",
            description: "Trace ID: 1-800-555-0199 Correlation ID: \(TokenFactory.tenant)\r\nX: y",
            subcode: nil
        )
        #expect(refusal.ids.map(\.value) == [TokenFactory.tenant])
    }

    /// Microsoft's number, OAuth's `error` beside it, the reader's page, a piece of the log line.
    @Test(arguments: [
        (90072, "interaction_required", "Use another account", "invite the reader as a guest"),
        (50020, "interaction_required", "Use another account", "invite the reader as a guest"),
        (16000, "interaction_required", "Use another account", "invite the reader as a guest"),
        (16003, "invalid_grant", "Use another account", "invite the reader as a guest"),
        (50105, "interaction_required", "Use another account", "assign the reader"),
        (50057, "invalid_grant", "Use another account", "disabled"),
        (500_208, "access_denied", "Use another account", "supported account types"),
        (65001, "invalid_grant", "not approved this site yet", "grant admin consent"),
        (65004, "access_denied", "You cancelled the sign-in", "declined"),
        (90094, "access_denied", "not approved this site yet", "administrator has to consent"),
        (50058, "login_required", "Please sign in again", "no longer signed in"),
        (50076, "invalid_grant", "requires one more step", "second factor"),
        (50079, "interaction_required", "requires one more step", "second factor"),
        (50055, "invalid_grant", "requires one more step", "expired"),
        (53000, "interaction_required", "your device", "device"),
        (53003, "invalid_grant", "your device", "Conditional Access"),
        (53004, "access_denied", "your device", "Conditional Access"),
        (70008, "invalid_grant", "Please sign in again", "expired"),
        (50173, "invalid_grant", "Please sign in again", "revoked"),
        (700_016, "invalid_request", "does not know this site", "'client_id'"),
        (7_000_215, "invalid_client", "not set up correctly", "'client_secret' is wrong"),
        (7_000_222, "invalid_client", "not set up correctly", "has expired"),
        (50196, "invalid_grant", "sign-in service is busy", "redirect loop"),
        (90055, "invalid_request", "sign-in service is busy", "Entra is busy"),
    ])
    func `page and log line follow from the same row`(
        number: Int,
        error: String,
        page: String,
        log: String
    ) {
        let refusal = OAuthErrorResponse(error: error, description: "AADSTS\(number): x")
        let request = Request(
            route: .callback,
            headerFields: World.navigation,
            reference: "5f2c91aa"
        )
        let response = ReaderPage.refused(refusal, returnPath: "/hr/", request)
        let content = response.page?.framed(.english, request).content ?? ""
        #expect(content.contains(page), "\(content)")
        #expect(refusal.logText.contains(log) && refusal.remedy?.contains(log) == true)
        #expect(refusal.logText.hasSuffix("/error?code=\(number)"))
    }

    /// 'Sign in again' would take the account that was refused.
    @Test(arguments: [50020, 90072, 16000, 50105, 50057])
    func `where another account is the way out, only another account is offered`(
        number: Int
    ) throws {
        let world = try World()
        let begun = world.send(.signIn, wanted: "/hr/?a=1").http.headerFields[.location] ?? ""
        let state = try #require(Form(String(begun.drop { $0 != "?" }.dropFirst()))?["state"])
        let error = "error=interaction_required&error_description=AADSTS\(number):+x"
        let page = world.send(.callback, query: "\(error)&state=\(state)")
        let text = String(decoding: page.body, as: UTF8.self)
        #expect(page.http.status == .forbidden && !text.contains("again=yes"))
        let link = "/auth/sign-in?account=other&amp;return=%2Fhr%2F%3Fa%3D1"
        #expect(text.contains("class=\"button primary\" href=\"\(link)\""))
        #expect(page.events.map(\.subject.path) == ["/hr/"])
        let query = "account=other&return=%2Fhr%2F%3Fa%3D1"
        let next = world.send(.signIn, query: query).http.headerFields[.location] ?? ""
        #expect(next.contains("prompt=select_account"))
    }
}

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
            "AADSTS7000215: A secret of <b>somebody</b>. Trace ID: 00000000-1111-2222-3333-444444444444"
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
        #expect(!page.contains("somebody") && !page.contains("7000215"))
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
            #expect(OperatorHint.text("AADSTS\(number)") != nil, "\(number)")
        }
    }

    @Test(arguments: ["AADSTS", "AADSTS99999999", "AADSTSx"])
    func `an unknown number has none`(number: String) {
        #expect(OperatorHint.text(number) == nil)
    }

    /// What is no GUID is not an id.
    @Test func `ids are let through as ids only`() {
        let refusal = OAuthErrorResponse(
            error: "x",
            description: "Trace ID: <script>alert(1)</script> Correlation ID: 1a2b\r\nX: y",
            subcode: nil
        )
        #expect(refusal.ids.map(\.value) == ["1a2b"])
    }
}

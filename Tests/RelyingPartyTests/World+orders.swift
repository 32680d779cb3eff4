import Access
import HTTPTypes
import Jansson
import Testing

@testable import EntraEmulator

extension World {
    /// A new release: `hr` has the members of another role, and all pages are for `hr` alone.
    func redefineGroups() throws {
        let changed = AccessPolicy(
            groups: [GroupDefinition(name: "hr", roles: ["Payroll"])],
            rules: [.init(path: "/", audience: .groups(["hr"]))]
        )
        let policy = try #require(changed)
        state.withLock { $0.policy = policy }
    }

    /// Tells the emulator what goes wrong, or what an administrator of the directory does.
    func order(_ path: String, _ json: JSON) throws {
        let origin = try #require(Origin("http://localhost:8082"))
        var request = HTTPRequest(
            method: .post,
            scheme: "http",
            authority: "localhost:8082",
            path: path
        )
        request.headerFields[.contentType] = "application/json"
        let answer = Administration(emulator, at: origin).respond(
            to: EmulatorRequest(request, body: Array(json.text.utf8))
        )
        #expect(answer.http.status == .ok)
    }
}

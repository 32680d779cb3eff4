import Diagnostics
import Fixtures
import Foundation
import Logging
import Releases
import RelyingParty
import Testing

@testable import siteauth

/// What the programs of earlier versions left on disk and in browsers, with the programs of today, and
/// what a later version may leave.
@Suite struct VersionTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../Versions").standardized

    static let versions = ["0.1.0"]

    /// A server whose programs were those of another version until now.
    private struct Server {
        let files = try? TemporaryFolder()
        let now: Int
        /// Session cookies by the name of their reader.
        let cookies: [Substring: Substring]

        init(_ version: String) throws {
            let data = VersionTests.folder.appending(path: version)
            func text(_ name: String) throws -> String {
                try String(contentsOf: data.appending(path: name), encoding: .utf8)
            }
            now = try #require(Int(try text("written").dropLast()))
            cookies = Dictionary(
                uniqueKeysWithValues: try text("cookies").split(separator: "\n").map { line in
                    let words = line.split(separator: " ")
                    return (words[0], words[1])
                }
            )
            let files = try #require(files)
            for name in ["public", "state", "auth.toml"] {
                try FileManager.default.copyItem(
                    at: data.appending(path: name),
                    to: files.url.appending(path: name)
                )
            }
            // git keeps no permissions.
            for name in ["auth.toml", "state/provider.json"] {
                try FileManager.default.setAttributes(
                    [.posixPermissions: 0o600],
                    ofItemAtPath: files.path(name)
                )
            }
        }

        func path(_ name: String) -> String { files?.path(name) ?? name }

        /// siteauth as 'serve' prepares it, at the time of the cookies, and without a network.
        func start() throws -> (RelyingParty, release: String?) {
            let service = try prepare()
            var environment = Environment(
                now: { [now] in now },
                random: Environment.systemRandom,
                send: { _, _ in throw URLError(.notConnectedToInternet) }
            )
            environment.readFile = service.environment.readFile
            return (
                RelyingParty(service.configuration, environment, service.storage),
                service.storage.currentRelease()
            )
        }

        func prepare() throws -> PreparedService {
            let options = try ServiceOptions.parse([
                "--config", path("auth.toml"), "--site", path("public"), "--state", path("state"),
            ])
            return try options.prepare(Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        }

        func change(_ name: String, _ old: String, _ new: String) throws {
            let text = try String(contentsOfFile: path(name), encoding: .utf8)
            let changed = text.replacing(old, with: new)
            #expect(changed != text)
            try Data(changed.utf8).write(to: URL(filePath: path(name)))
        }
    }

    @Test(arguments: versions)
    func `an upgrade keeps sessions, and ends none of those again that had ended`(
        version: String
    ) throws {
        let server = try Server(version)
        let (relyingParty, release) = try server.start()
        func status(_ reader: Substring, _ path: String) -> Int {
            relyingParty.check(
                path: path,
                release: release,
                cookie: "session=\(server.cookies[reader] ?? "")",
                fetch: FetchMetadata(
                    method: "GET",
                    mode: "navigate",
                    accept: "text/html",
                    requestedWith: nil
                )
            ).http.status.code
        }
        #expect(relyingParty.problems(withRevocations: true).isEmpty)
        #expect(status("alice", "/hr/") == 204)
        #expect(status("bob", "/") == 204)
        #expect(status("bob", "/hr/") == 403)
        for reader: Substring in ["signed-out", "revoked", "nobody"] {
            #expect(status(reader, "/") == 401, "\(reader)")
        }
        #expect(status("nobody", "/press/") == 204)
    }

    @Test(arguments: versions)
    func `sitegen knows the releases of an earlier version`(version: String) throws {
        let server = try Server(version)
        let releases = Releases(in: server.path("public"))
        #expect(try releases.list().map(\.number) == [1])
        let access = try releases.access(of: 1)
        #expect(access.urls.contains("/hr/"))
        // What is written today is what was read: the format is the same.
        let path = server.path("public/releases/1/access")
        #expect(try access.policy.text == String(contentsOfFile: path, encoding: .utf8))
    }

    @Test func `after a downgrade, what is newer is refused by name`() throws {
        let server = try Server("0.1.0")
        let metadata = MetadataFile(server.path("state"))
        #expect(metadata.formatProblem == nil)
        try server.change("state/provider.json", "{\"version\":1", "{\"version\":2")
        let kept = "'\(server.path("state/provider.json"))' has version 2, and this siteauth reads"
        #expect(metadata.formatProblem?.hasPrefix(kept) == true)
        #expect(try server.prepare().storage.policyProblem() == nil)

        let policy = "public/releases/1/access"
        try server.change(policy, "site-access 1", "site-access 2")
        let newer = "\(policy):1: 'site-access 2' was made by a newer sitegen; this program reads"
        #expect(try server.prepare().storage.policyProblem()?.contains(newer) == true)
        let releases = Releases(in: server.path("public"))
        let error = #expect(throws: CommandError.self) { try releases.access(of: nil) }
        #expect(error?.message.contains(newer) == true)

        let list = RevocationFolder(server.path("state"))
        #expect(list.formatProblem == nil)
        let format = try #require(server.files).write("siteauth-state 2\n", "state/format")
        let mark = "'siteauth-state 2' was made by a newer siteauth"
        #expect(list.formatProblem?.hasPrefix("\(format):1: \(mark)") == true)
        #expect(throws: (any Error).self) { try server.prepare() }
        // A process that runs already lets nobody in from its next look on.
        #expect(list.dates(of: []) != nil)
        try list.maintain(at: 0)
        #expect(list.dates(of: []) == nil)
        try "siteauth-state 1\n".write(toFile: format, atomically: true, encoding: .utf8)
        #expect(list.formatProblem == nil)
    }
}

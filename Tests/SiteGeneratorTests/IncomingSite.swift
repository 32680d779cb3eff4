import Diagnostics
import Fixtures
import OpenSSL
import POSIX

@testable import Site
@testable import SiteGenerator

/// A folder with a release that another machine has built, and a server that activates it.
final class IncomingSite: Sendable {
    static let now = 1_795_348_800
    static let access = "site-access 1\nallow signed-in /\nend 1\n"
    /// What every release has.
    static let required = Dictionary(
        uniqueKeysWithValues: IncomingRelease.required.map { ($0, "frame") }
    )
    .merging(["access": access, "redirects.map": ""]) { $1 }
    static let long = String(repeating: " and more words", count: 100)
    static let pages = [
        "site/index.html": "<h1>Home</h1>\(long)", "site/travel/index.html": "Travel\(long)",
        "site/hr/index.html": "Salaries\(long)", "site/hr/list.pdf": "%PDF",
        "site/_reader/public.json": "{}", theme("body {}"): "body {}",
    ]

    let folder: TemporaryFolder
    var incoming: String { folder.path("incoming") }
    var server: String { folder.path("server/public") }

    init() throws { folder = try TemporaryFolder() }

    static func theme(_ text: String) -> String {
        "theme/site.\(Digest.hexadecimal(Digest.sha256(Array(text.utf8)).prefix(8))).css"
    }

    /// Fills the folder.
    ///
    /// - Parameter time: when the release was built, in seconds, relative to now.
    func receive(_ files: [String: [UInt8]], at time: Int = 0) throws {
        if (try? FileStatus(of: incoming)) != nil { try Folder.remove(incoming) }
        try Folder.create(incoming)
        for (path, bytes) in files {
            if let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) {
                try Folder.create("\(incoming)/\(path[..<slash])")
            }
            try File.write(bytes, to: "\(incoming)/\(path)")
        }
        try File.setModified(incoming, seconds: Self.now + time)
    }

    /// Fills the folder with the usual pages, changed.
    func receive(_ changes: [String: String?] = [:], at time: Int = 0) throws {
        var files = Self.required.merging(Self.pages) { $1 }
        for (path, text) in changes { files[path] = text }
        try receive(files.mapValues { Array($0.utf8) }, at: time)
    }

    @discardableResult
    func publish(
        _ changes: [String: String?] = [:],
        at time: Int = 0
    ) async throws -> ReleaseActivation.Outcome {
        try receive(changes, at: time)
        return try await activate()
    }

    func activate(
        _ path: String? = nil,
        keeping count: Int = 5
    ) async throws -> ReleaseActivation.Outcome {
        var options = BuildOptions(now: Self.now)
        options.syncs = false
        options.secondsToWait = 600
        return try await ReleaseActivation(output: server, releasesKept: count, options)
            .run(path ?? incoming)
    }

    /// Why the folder is refused; `nil` if it is activated.
    func refusal() async throws -> String? {
        do {
            _ = try await activate()
            return nil
        } catch let error as CommandError {
            return error.message
        }
    }

    /// Everything on the server, by path, and the release that readers see.
    func onServer() throws -> [String: [UInt8]] {
        var all = try Self.files(folder.path("server"))
        all["public/.lock"] = nil
        let current = SymbolicLink.destination(of: "\(server)/current") ?? ""
        all["current"] = Array(current.utf8)
        return all
    }

    /// The files of a folder.
    static func files(_ folder: String) throws -> [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        for entry in (try? Folder.entries(of: folder)) ?? [] {
            let path = "\(folder)/\(entry.name)"
            if entry.kind == .folder {
                files[entry.name + "/"] = []
                for (name, bytes) in try self.files(path) { files["\(entry.name)/\(name)"] = bytes }
            } else if entry.kind == .file {
                files[entry.name] = try File.read(path)
            }
        }
        return files
    }
}

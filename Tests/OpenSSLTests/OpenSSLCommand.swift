import Fixtures
import Foundation
import Testing

/// The program `openssl`: another's keys and signatures, in a folder of its own.
final class OpenSSLCommand: Sendable {
    static let isInstalled = FileManager.default.isExecutableFile(atPath: path)
    static let absence: Comment = "there is no /usr/bin/openssl"
    private static let path = "/usr/bin/openssl"

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Whether it ended well; words are separated by spaces, files are named without a folder.
    @discardableResult
    func run(_ words: String) throws -> Bool {
        let process = Process()
        process.executableURL = URL(filePath: Self.path)
        process.arguments = words.split(separator: " ").map(String.init)
        process.currentDirectoryURL = folder.url
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus == 0
    }

    func read(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: folder.url.appending(path: name)))
    }

    func write(_ bytes: [UInt8], _ name: String) throws {
        try folder.write(bytes, name)
    }
}

import Foundation

/// A folder of its own for one test; it is removed with the last reference to it.
public final class TemporaryFolder: Sendable {
    public let url: URL

    /// - Parameter files: texts by path, below the folder.
    public init(_ files: [String: String] = [:]) throws {
        url = FileManager.default.temporaryDirectory.appending(path: "test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        for (path, text) in files { try write(text, path) }
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    public var path: String { url.path }

    /// The absolute path of a file or a folder in it.
    public func path(_ relative: String) -> String { "\(url.path)/\(relative)" }

    /// Writes a file, and the folders above it where they are missing.
    ///
    /// - Returns: its absolute path.
    @discardableResult
    public func write(_ text: String, _ path: String) throws -> String {
        try write(Array(text.utf8), path)
    }

    @discardableResult
    public func write(_ bytes: [UInt8], _ path: String) throws -> String {
        let file = url.appending(path: path)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try Data(bytes).write(to: file)
        return file.path
    }
}

/// Runs `body` with the path of a folder that is removed afterwards.
public func withTemporaryFolder<Result>(_ body: (String) throws -> Result) throws -> Result {
    let folder = try TemporaryFolder()
    return try withExtendedLifetime(folder) { try body(folder.path) }
}

import Access
import POSIX

/// One release that a preview serves, with its policy.
struct PreviewRelease: Sendable {
    /// The folder with `site`, `errors` and `auth`; absolute, without symbolic links.
    let folder: String
    let policy: AccessPolicy

    /// - Parameter output: the output folder of the build.
    /// - Returns: `nil` if the policy cannot be read: without it nobody may see anything.
    init?(_ number: Int, in output: String) {
        guard let folder = Host.realPath("\(output)/releases/\(number)"),
            let bytes = try? File.read("\(folder)/access"),
            let text = String(validating: bytes, as: UTF8.self),
            let policy = AccessPolicy(text: text)
        else { return nil }
        self.folder = folder
        self.policy = policy
    }

    /// The names of the theme's files that end so.
    func theme(endingIn end: String) -> [String] {
        ((try? Folder.names(in: "\(folder)/theme")) ?? []).filter { $0.hasSuffix(end) }.sorted()
    }

    /// What is at a path in the release.
    enum Found: Equatable {
        case file([UInt8])
        case folder
        case nothing
    }

    /// - Parameter path: a path that the reader may open. Symbolic links out of the release are not
    ///   followed.
    func find(_ path: String) -> Found {
        guard let real = Host.realPath(folder + path),
            real == folder || real.hasPrefix("\(folder)/"),
            let status = try? FileStatus(of: real)
        else { return .nothing }
        switch status.kind {
        case .folder: return .folder
        case .file: return (try? File.read(real)).map(Found.file) ?? .nothing
        default: return .nothing
        }
    }
}

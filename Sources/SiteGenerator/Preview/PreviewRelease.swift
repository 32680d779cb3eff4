import Access
import POSIX

/// One finished build that a preview answers from, its pages and its policy together.
struct PreviewRelease: Sendable {
    /// Holds `site`, `errors` and `auth`; absolute, without links in it.
    let folder: String
    let policy: AccessPolicy

    /// - Parameter output: of the build.
    /// - Returns: `nil` where no policy can be read: without one nobody may see anything.
    init?(_ number: Int, in output: String) {
        guard let folder = Host.realPath("\(output)/releases/\(number)"),
            let bytes = try? File.read("\(folder)/access"),
            let text = String(validating: bytes, as: UTF8.self),
            let policy = AccessPolicy(text: text)
        else { return nil }
        self.folder = folder
        self.policy = policy
    }

    /// What lies at a path below the release.
    enum Found: Equatable {
        case file([UInt8])
        case folder
        case nothing
    }

    /// - Parameter path: judged already; links that lead out of the release are as good as nothing.
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

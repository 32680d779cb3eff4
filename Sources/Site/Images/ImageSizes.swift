import Diagnostics
import POSIX
import Rules
import SourceFolder

/// The sizes of the site's images, by URL, and what is wrong with files that are published
/// unchanged.
///
/// Each file is read once, however many pages show it.
package struct ImageSizes: Sendable {
    private let sizes: [String: ImageSize]
    /// The bytes of the files that are too large for a picture in a page.
    private let large: [String: Int]
    /// Findings for files that cannot be read, or are not what their names say.
    private(set) var diagnostics: [Diagnostic] = []

    /// A picture is loaded with its page, also over a phone's network: the largest that a page should
    /// show, in bytes.
    static let usualBytes = 5_000_000

    init(_ site: Site) async {
        let endings = [".png", ".jpg", ".jpeg", ".gif", ".webp", ".svg"]
        let starts = await site.assets.concurrentMap { asset in
            let name = asset.url.lowercased()
            let isPicture = endings.contains { name.hasSuffix($0) }
            return Result { () throws(SystemError) in
                try asset.file.root.readStart(
                    asset.file.path,
                    bytes: isPicture ? ImageSize.headerBytes : FileContent.startBytes
                )
            }.map { start in
                (isPicture ? ImageSize(start) : nil, FileContent.mistake(in: start, named: name))
            }
        }
        var sizes: [String: ImageSize] = [:]
        for (asset, start) in zip(site.assets, starts) {
            let location = SourceLocation(asset.file.displayPath)
            switch start {
            case .success((let size, let mistake)):
                sizes[asset.url] = size
                if let mistake {
                    diagnostics.append(Diagnostic(.brokenFile, mistake, at: location))
                }
            case .failure(let error):
                diagnostics.append(Diagnostic(.sourceFile, error.reason, at: location))
            }
        }
        self.sizes = sizes
        large = Dictionary(
            uniqueKeysWithValues: site.assets.compactMap { url, file in
                guard let bytes = file.state?.size, bytes > Self.usualBytes else { return nil }
                return (url, bytes)
            }
        )
    }

    init() { (sizes, large) = ([:], [:]) }

    /// The attributes of an image element: known sizes keep a page from jumping while it loads.
    func attributes(of url: String) -> [(name: String, value: String)] {
        let lazy = [(name: "loading", value: "lazy")]
        guard let size = sizes[url] else { return lazy }
        return [("width", "\(size.width)"), ("height", "\(size.height)")] + lazy
    }

    /// Why a file should not stand as an image in a page, or `nil` if it may.
    ///
    /// - Parameter written: its address, as the author wrote it.
    func mistake(_ url: String, written: String) -> String? {
        let type = ContentType.of(url)
        if !type.hasPrefix("image/"), type != ContentType.unknown {
            return "'\(written)' is no picture, and browsers show none; write a link without '!'"
        }
        guard let bytes = large[url] else { return nil }
        let megabytes = (bytes + 500_000) / 1_000_000
        return
            "image '\(written)' has \(megabytes) MB, which readers load with the page; scale it down"
    }
}

import Diagnostics
import POSIX

/// The sizes of the site's images, by URL.
///
/// Each file is read once, however many pages show it.
struct ImageSizes: Sendable {
    private let sizes: [String: ImageSize]
    /// Findings for images that cannot be read.
    private(set) var diagnostics: [Diagnostic] = []

    init(_ site: Site) async {
        let endings = [".png", ".jpg", ".jpeg", ".gif", ".webp", ".svg"]
        let pictures = site.assets.filter { asset in
            let name = asset.url.lowercased()
            return endings.contains { name.hasSuffix($0) }
        }
        let starts = await pictures.concurrentMap { picture in
            Result { () throws(SystemError) in
                try picture.file.root.readStart(picture.file.path, bytes: ImageSize.headerBytes)
            }.map { ImageSize($0) }
        }
        var sizes: [String: ImageSize] = [:]
        for (picture, start) in zip(pictures, starts) {
            switch start {
            case .success(let size): sizes[picture.url] = size
            case .failure(let error):
                let location = SourceLocation(picture.file.displayPath)
                diagnostics.append(Diagnostic(.sourceFile, error.reason, at: location))
            }
        }
        self.sizes = sizes
    }

    init() { sizes = [:] }

    /// The attributes of an image element: known sizes keep a page from jumping while it loads.
    func attributes(of url: String) -> [(name: String, value: String)] {
        let lazy = [(name: "loading", value: "lazy")]
        guard let size = sizes[url] else { return lazy }
        return [("width", "\(size.width)"), ("height", "\(size.height)")] + lazy
    }
}

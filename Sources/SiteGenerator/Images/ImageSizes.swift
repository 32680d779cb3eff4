import POSIX

/// The sizes of the pictures beside the pages, by URL.
///
/// Each file's beginning is read once, however many pages show it.
struct ImageSizes: Sendable {
    private let sizes: [String: ImageSize]

    init(_ site: Site) async {
        let endings = [".png", ".jpg", ".jpeg", ".gif", ".webp", ".svg"]
        let pictures = site.assets.filter { asset in
            let name = asset.url.lowercased()
            return endings.contains { name.hasSuffix($0) }
        }.map { (url: $0.url, path: $0.file.diskPath) }
        let found = await pictures.concurrentMap { url, path -> (String, ImageSize)? in
            // A file that cannot be read is told of where it is copied.
            let start = try? File.readStart(path, bytes: ImageSize.headerBytes)
            return start.flatMap { ImageSize($0) }.map { (url, $0) }
        }
        sizes = Dictionary(found.compactMap(\.self), uniquingKeysWith: { first, _ in first })
    }

    init() { sizes = [:] }

    /// The attributes of an image element: known sizes keep a page from jumping while it loads.
    func attributes(of url: String) -> [(name: String, value: String)] {
        let lazy = [(name: "loading", value: "lazy")]
        guard let size = sizes[url] else { return lazy }
        return [("width", "\(size.width)"), ("height", "\(size.height)")] + lazy
    }
}

/// The content type of a file by its name: the types of nginx's `mime.types` that sites use.
enum ContentType {
    static let html = "text/html; charset=utf-8"
    static let json = "application/json"
    /// Server-sent events (HTML, section 9.2).
    static let events = "text/event-stream"

    /// nginx's default type, which a browser downloads instead of showing.
    static let unknown = "application/octet-stream"

    static func of(_ path: String) -> String {
        let name = path.split(separator: "/").last ?? ""
        guard let dot = name.lastIndex(of: ".") else { return unknown }
        return types[name[name.index(after: dot)...].lowercased()] ?? unknown
    }

    private static let types = [
        "html": html, "htm": html,
        "css": "text/css; charset=utf-8",
        "js": "application/javascript; charset=utf-8",
        "mjs": "application/javascript; charset=utf-8",
        "txt": "text/plain; charset=utf-8",
        "xml": "text/xml; charset=utf-8",
        "csv": "text/csv; charset=utf-8",
        "json": json,
        "atom": "application/atom+xml",
        "svg": "image/svg+xml", "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg",
        "gif": "image/gif", "webp": "image/webp", "avif": "image/avif", "ico": "image/x-icon",
        "bmp": "image/x-ms-bmp", "tif": "image/tiff", "tiff": "image/tiff",
        "woff": "font/woff", "woff2": "font/woff2", "ttf": "font/ttf", "otf": "font/otf",
        "mp4": "video/mp4", "webm": "video/webm", "mov": "video/quicktime",
        "mp3": "audio/mpeg", "m4a": "audio/x-m4a", "ogg": "audio/ogg", "wav": "audio/x-wav",
        "pdf": "application/pdf", "zip": "application/zip", "gz": "application/gzip",
        "wasm": "application/wasm", "rtf": "application/rtf",
        "doc": "application/msword", "xls": "application/vnd.ms-excel",
        "ppt": "application/vnd.ms-powerpoint",
        "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        "pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    ]
}

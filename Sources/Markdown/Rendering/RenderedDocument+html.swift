extension RenderedDocument {
    /// Removes the HTML, so that a page takes little memory until it is written.
    public mutating func takeHTML() -> [UInt8] {
        defer { html = [] }
        return html
    }

    /// The document with the HTML that was taken.
    public func with(html: [UInt8]) -> RenderedDocument {
        var document = self
        document.html = html
        return document
    }
}

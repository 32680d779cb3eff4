import HTML

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

    /// The id of the element to which a link with the fragment `name` leads.
    ///
    /// - Parameter name: decoded, without `#`.
    func id(linkedBy name: String) -> String? {
        if headings.contains(where: { $0.id == name }) || anchors.contains(name) { return name }
        let id = AuthorAnchor.prefix + name
        return anchors.contains(id) ? id : nil
    }
}

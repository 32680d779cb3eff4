/// Width and height of an SVG image: the attributes of its first element, or else its view box.
enum VectorImageSize {
    static func read(_ bytes: [UInt8]) -> (Int, Int)? {
        let text = String(decoding: bytes.prefix(4096), as: UTF8.self)
        guard let start = text.firstRange(of: "<svg"),
            let end = text[start.upperBound...].firstIndex(of: ">")
        else { return nil }
        let element = text[start.upperBound..<end]
        if let width = pixels(attribute("width", element)),
            let height = pixels(attribute("height", element))
        {
            return (width, height)
        }
        let box = attribute("viewBox", element)?.split { " ,\t\n".contains($0) } ?? []
        guard box.count == 4, let width = pixels(box[2]), let height = pixels(box[3]) else {
            return nil
        }
        return (width, height)
    }

    private static func attribute(_ name: String, _ element: Substring) -> Substring? {
        for quote in ["\"", "'"] {
            for space in [" ", "\n", "\t"] {
                guard let start = element.firstRange(of: "\(space)\(name)=\(quote)") else {
                    continue
                }
                return element[start.upperBound...].prefix { String($0) != quote }
            }
        }
        return nil
    }

    /// A length in pixels.
    ///
    /// Other units depend on the page, so they are ignored.
    private static func pixels(_ text: Substring?) -> Int? {
        guard let text else { return nil }
        let number = text.hasSuffix("px") ? text.dropLast(2) : text
        guard let value = Double(number), value >= 0.5, value < 100_000 else { return nil }
        return Int(exactly: value.rounded())
    }
}

/// The position of the first visible text of a file.
package struct FrontMatterStart {
    /// In bytes.
    package private(set) var offset = 0
    /// From 1.
    private(set) var line = 1
    /// The columns of white space before it on its line; 0 after a comment.
    private(set) var indentation = 0

    /// Skips white space, byte-order marks, zero-width characters and HTML comments.
    ///
    /// - Parameter file: UTF-8.
    package init(in file: [UInt8]) {
        while true {
            let rest = file[offset...]
            if rest.starts(with: "<!--".utf8) {
                var end = offset + 4
                while end < file.count, !file[end...].starts(with: "-->".utf8) { end += 1 }
                if end == file.count { return }
                line += rest[..<end].count { $0 == 10 }
                (offset, indentation) = (end + 3, 0)
                continue
            }
            let start = String(decoding: rest.prefix(4), as: UTF8.self)
            guard let scalar = start.unicodeScalars.first, scalar.isInvisible else { return }
            if scalar == "\n" {
                line += 1
                indentation = 0
            } else if scalar.properties.isWhitespace {
                indentation += scalar == "\t" ? 4 : 1
            }
            offset += UTF8.width(scalar)
        }
    }
}

/// The position of the first visible text of a file.
struct FrontMatterStart {
    /// In bytes.
    private(set) var offset = 0
    /// From 1.
    private(set) var line = 1
    /// The columns of white space before it on its line; 0 after a comment.
    private(set) var indentation = 0

    /// Skips white space, byte-order marks, zero-width characters and HTML comments.
    init(in file: [UInt8]) {
        while offset < file.count {
            if file[offset...].starts(with: "<!--".utf8) {
                guard let end = Self.commentEnd(file, from: offset + 4) else { return }
                line += file[offset..<end].count { $0 == 10 }
                offset = end
                indentation = 0
            } else if let scalar = InvisibleScalar(file, at: offset) {
                if scalar.value == "\n" {
                    line += 1
                    indentation = 0
                } else if scalar.isSpace {
                    indentation += scalar.value == "\t" ? 4 : 1
                }
                offset += scalar.length
            } else {
                return
            }
        }
    }

    private static func commentEnd(_ file: [UInt8], from start: Int) -> Int? {
        var position = start
        while let dash = file[position...].firstIndex(of: UInt8(ascii: "-")) {
            if file[dash...].starts(with: "-->".utf8) { return dash + 3 }
            position = dash + 1
        }
        return nil
    }
}

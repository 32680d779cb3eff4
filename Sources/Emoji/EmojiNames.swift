import CEmoji

/// The characters that GitHub and others show for names such as `tada`.
public enum EmojiNames {
    /// Names and characters are the texts in quotation marks, in turn.
    private static let characters: [String: [UInt8]] = {
        var bytes: [UInt8] = []
        while true {
            let byte = emoji_list_byte(bytes.count)
            if byte == 0 { break }
            bytes.append(byte)
        }
        let quote = UInt8(ascii: "\"")
        let parts = bytes.split(separator: quote, omittingEmptySubsequences: false)
        var characters: [String: [UInt8]] = [:]
        for index in stride(from: 1, to: parts.count - 2, by: 4) {
            characters[String(decoding: parts[index], as: UTF8.self)] = Array(parts[index + 2])
        }
        return characters
    }()

    public static var count: Int { characters.count }

    /// The UTF-8 of a character; `nil` for a name that is none.
    public static subscript(name: String) -> [UInt8]? { characters[name] }
}

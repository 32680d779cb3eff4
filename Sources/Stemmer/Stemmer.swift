import CStemmer

/// Reduces the forms of a word to their stem, as Snowball does for its languages: `moved` and
/// `moving` to `move`.
///
/// For one task at a time.
@safe public final class Stemmer {
    private let stemmer: OpaquePointer

    /// - Parameter language: a language tag such as `de-DE` (RFC 5646).
    /// - Returns: `nil` for a language that Snowball does not know.
    public init?(language: String) {
        let code = language.prefix { $0 != "-" }.lowercased()
        guard let stemmer = unsafe sb_stemmer_new(code, "UTF_8") else { return nil }
        unsafe self.stemmer = stemmer
    }

    deinit { unsafe sb_stemmer_delete(stemmer) }

    /// The stem of a word in lower case.
    ///
    /// - Parameter stem: its memory is used again.
    public func stem(_ word: Span<UInt8>, into stem: inout [UInt8]) {
        stem.removeAll(keepingCapacity: true)
        let found = unsafe word.withUnsafeBufferPointer { word in
            unsafe sb_stemmer_stem(stemmer, word.baseAddress, Int32(word.count))
        }
        guard let letters = unsafe found else {
            // Out of memory: the word is its own stem.
            for index in word.indices { stem.append(word[index]) }
            return
        }
        unsafe stem.append(
            contentsOf: UnsafeBufferPointer(start: letters, count: Int(sb_stemmer_length(stemmer)))
        )
    }
}

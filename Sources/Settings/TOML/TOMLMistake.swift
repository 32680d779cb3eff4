/// Why a text is not TOML.
///
/// A message never repeats a value: it goes to logs, and the value may be a secret.
struct TOMLMistake: Error {
    let message: String
    /// Offsets of the bytes that are meant.
    let range: Range<Int>
    /// What the mistake contradicts.
    var note: Note?

    struct Note {
        let message: String
        let range: Range<Int>
    }

    /// How many are told at most: a file of another kind has one in each line.
    static let limit = 20

    init(_ message: String, at range: Range<Int>, note: Note? = nil) {
        self.message = message
        self.range = range
        self.note = note
    }
}

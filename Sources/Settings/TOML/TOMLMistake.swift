/// Why a text is not TOML.
///
/// A message never quotes a value: messages go to logs, and the value may be a secret.
struct TOMLMistake: Error {
    let message: String
    /// The offsets of the bytes that are wrong.
    let range: Range<Int>
    /// The earlier definition that the mistake contradicts.
    var note: Note?

    struct Note {
        let message: String
        let range: Range<Int>
    }

    /// The maximum number of reported mistakes: a file of another format has a mistake in each
    /// line.
    static let limit = 20

    init(_ message: String, at range: Range<Int>, note: Note? = nil) {
        self.message = message
        self.range = range
        self.note = note
    }
}

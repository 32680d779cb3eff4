/// The footnotes of a document, and the references to each.
struct Footnotes {
    struct Note {
        let label: String
        var number = 0
        var references = 0
        /// The id of the note; empty until a reference is found.
        var id = ""
        var content = RenderedDocument()
        /// Where the links back go: before the end of the last paragraph.
        var backReferenceOffset = 0
    }

    private var notes: [[UInt8]: Note] = [:]
    /// The ids of the references, for the links back, by the keys of the notes.
    private var referenceIDs: [[UInt8]: [String]] = [:]
    private var count = 0

    init(_ labels: [String]) {
        for label in labels {
            let key = Self.key(label)
            // Of two definitions with one label, the first counts.
            if notes[key] == nil { notes[key] = Note(label: label) }
        }
    }

    /// The notes with references, in the order of their numbers.
    var used: [Note] { notes.values.filter { $0.number > 0 }.sorted { $0.number < $1.number } }

    /// Counts one more reference, if there is such a footnote.
    mutating func refer(to label: String) -> Note? {
        let key = Self.key(label)
        guard var note = notes[key] else { return nil }
        if note.number == 0 {
            count += 1
            note.number = count
        }
        note.references += 1
        notes[key] = note
        return note
    }

    /// Sets the note's id, and adds that of one more reference.
    mutating func name(_ label: String, id: String, reference: String) {
        let key = Self.key(label)
        notes[key]?.id = id
        referenceIDs[key, default: []].append(reference)
    }

    /// Adds a note that stands in the text.
    ///
    /// - Returns: its label.
    mutating func add(_ content: RenderedDocument, backReferenceAt offset: Int) -> String {
        var number = count + 1
        while notes[Self.key("inline-\(number)")] != nil { number += 1 }
        let label = "inline-\(number)"
        notes[Self.key(label)] = Note(label: label)
        define(label, content, backReferenceAt: offset)
        return label
    }

    func referenceIDs(of note: Note) -> [String] { referenceIDs[Self.key(note.label)] ?? [] }

    mutating func define(_ label: String, _ content: RenderedDocument, backReferenceAt offset: Int)
    {
        let key = Self.key(label)
        guard notes[key]?.content.html.isEmpty == true, notes[key]?.label == label else { return }
        notes[key]?.content = content
        notes[key]?.backReferenceOffset = offset
    }

    private static func key(_ label: String) -> [UInt8] { LinkLabels.key(Array(label.utf8)[...]) }
}

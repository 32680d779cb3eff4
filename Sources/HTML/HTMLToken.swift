/// A piece of HTML, as a browser reads it.
public enum HTMLToken {
    case startTag(HTMLTag)
    /// - Parameter name: in lower case.
    case endTag(name: String, range: Range<Int>)
    /// Text, in which character references stand for characters.
    case text(Range<Int>)
    /// The content of a script, a style sheet or another element that holds no tags; in XML, of a
    /// CDATA section.
    case rawText(Range<Int>)
    /// A comment, a declaration or a processing instruction.
    ///
    /// - Parameter isClosed: whether it ends before the HTML does.
    case comment(Range<Int>, isClosed: Bool)
}

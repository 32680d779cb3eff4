extension MarkdownOptions {
    /// The English words of all texts that the renderer itself adds to a document.
    public static let ownTexts =
        Admonition.names + [completed, incomplete, backReference]

    static let completed = "Completed task"
    static let incomplete = "Incomplete task"
    static let backReference = "Back to reference {{number}}"
}

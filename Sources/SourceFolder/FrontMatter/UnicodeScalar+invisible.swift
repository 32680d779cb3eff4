extension Unicode.Scalar {
    /// Whether the character is white space, or has no width.
    var isInvisible: Bool {
        properties.isWhitespace || properties.isDefaultIgnorableCodePoint
            || [.control, .format].contains(properties.generalCategory)
    }
}

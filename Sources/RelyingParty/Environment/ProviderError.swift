/// Why the provider cannot be used, for the operator.
struct ProviderError: Error, Equatable, CustomStringConvertible {
    let description: String
    /// Whether the provider answered, but the answer violates the standards or the configuration.
    private(set) var isAboutAnswer = false

    init(_ description: String) { self.description = description }

    /// The error for an answer that cannot be used.
    static func unusable(_ description: String) -> ProviderError {
        var error = ProviderError(description)
        error.isAboutAnswer = true
        return error
    }
}

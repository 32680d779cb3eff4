extension ProviderRefusal {
    /// Whether it was the code that was refused, and with it nothing else.
    ///
    /// Entra has "malformed" (9002313) for a code that never was one.
    var isAboutTheCode: Bool { error == "invalid_grant" || number == "AADSTS9002313" }

    /// What the operator can do, or `nil` where only the provider's log tells.
    var remedy: String? { number.flatMap(OperatorHint.text) }
}

extension ProviderRefusal {
    /// Whether it was the code that was refused, and with it nothing else.
    ///
    /// Entra has "malformed" (9002313) for a code that never was one.
    var isAboutTheCode: Bool { error == "invalid_grant" || number == "AADSTS9002313" }

    /// What the operator can do, or `nil` where only the provider's log tells.
    ///
    /// Microsoft changes numbers, so a remedy is a hint for a person and decides nothing.
    var remedy: String? { number.flatMap { Self.remedies[$0] } }

    private static let remedies = [
        "AADSTS7000215":
            "'client_secret' is wrong; is it the 'Value' of the secret, and not its 'Secret ID'?",
        "AADSTS7000222":
            "'client_secret' has expired; make a new one under 'Certificates & secrets'",
        "AADSTS7000218": "the registration wants a credential, and none came",
        "AADSTS7000216": "the registration wants a credential, and none came",
        "AADSTS700025":
            "the registration is public; under 'Authentication', the platform has to be 'Web'",
        "AADSTS700016":
            "'client_id' is not known in this tenant; compare it with 'Application (client) ID', and"
            + " the authority with 'Directory (tenant) ID'",
        "AADSTS700011": "'client_id' is not known in this tenant",
        "AADSTS70001": "the application is switched off or not installed in this tenant",
        "AADSTS7000112": "the application is switched off under 'Enterprise applications'",
        "AADSTS90002":
            "there is no such tenant; compare the authority with 'Directory (tenant) ID', and its"
            + " host with the cloud",
        "AADSTS900021": "there is no such tenant; compare it with 'Directory (tenant) ID'",
        "AADSTS900439": "the application is of another cloud, such as login.microsoftonline.us",
        "AADSTS90038": "the tenant is of another cloud, such as login.microsoftonline.us",
        "AADSTS50194": "the registration is for one tenant; 'authority' has to name it",
        "AADSTS9002332": "the registration is not for personal accounts, and 'consumers' is",
        "AADSTS90130": "the registration is not for this kind of account",
        "AADSTS700027":
            "'client_certificate' is not registered; upload it under 'Certificates & secrets'",
        "AADSTS50012": "'client_certificate' is not registered, or its key is another one",
        "AADSTS700030": "'client_certificate' is not registered, or its key is another one",
        "AADSTS700024": "the assertion's time is not now; is this machine's clock right?",
        "AADSTS700021": "the assertion is another application's",
        "AADSTS70021": "no federated credential is registered for this token",
        "AADSTS700211":
            "no federated credential has this token's issuer, upper and lower case alike",
        "AADSTS700212": "no federated credential has this token's audience",
        "AADSTS700213":
            "no federated credential has this token's subject, upper and lower case alike",
        "AADSTS50011":
            "'redirect_uri' is not registered; add it, to the letter, under 'Authentication' for the"
            + " platform 'Web'",
        "AADSTS500112": "'redirect_uri' is not registered",
        "AADSTS900971": "no redirect URI is registered",
        "AADSTS9002325":
            "'redirect_uri' is registered for 'Single-page application', not for 'Web'",
        "AADSTS9002326":
            "'redirect_uri' is registered for 'Single-page application', not for 'Web'",
    ]
}

import HTTPTypes

/// The page where an administrator consents for a whole tenant (`/adminconsent`).
struct AdminConsent: Sendable {
    let emulator: Emulator
    let origin: Origin
    let authority: Authority

    func respond(to request: EmulatorRequest) -> EmulatorResponse {
        let items = QueryItems(request.query)
        let form = request.isSameOrigin(origin) ? request.form : QueryItems("")
        do {
            // Application and address must pass the same rules as for signing in.
            let parameters = try AuthorizationParameters(items, authority, emulator.finder)
            let tenant = authority.tenant ?? emulator.directory.tenants[0]
            if form["consent"] == "accept" {
                emulator.consents.give(to: parameters.application.clientID, by: tenant.id)
                return back(
                    parameters,
                    [("admin_consent", "True"), ("tenant", tenant.id)]
                )
            }
            if form["cancel"] != nil {
                return back(
                    parameters,
                    [
                        ("error", "permission_denied"),
                        ("error_description", "The administrator did not consent."),
                    ]
                )
            }
            return ConsentPage(
                application: parameters.application,
                scopes: parameters.scopes,
                action: request.path + "?" + request.query,
                fields: [],
                isForEverybody: true
            ).response(tenant.name)
        } catch {
            return ErrorPage(error: error, correlation: emulator.correlation()).response("")
        }
    }

    private func back(
        _ parameters: AuthorizationParameters,
        _ answer: [(String, String)]
    ) -> EmulatorResponse {
        let state = parameters.items["state"].map { [("state", $0)] } ?? []
        return .redirect(to: RedirectURI.answered(parameters.redirectURI), answer + state)
    }
}

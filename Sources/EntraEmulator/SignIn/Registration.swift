/// Whether an application may be used with an authority.
enum Registration {
    /// The application of a client id.
    ///
    /// - Throws: the error that Entra shows, or sends at the token endpoint.
    static func application(
        _ clientID: String,
        _ authority: Authority,
        _ directory: Directory
    ) throws(ProtocolError) -> Application {
        guard let (application, home) = directory.application(clientID),
            home.cloud == authority.cloud
        else { throw unknown(clientID, authority) }
        switch authority.scope {
        case .tenant(let tenant) where tenant.kind == .consumers:
            if !application.audience.takesPersonal {
                throw .invalidRequest(
                    9_002_332,
                    "The application is for work accounts and cannot be used with '/consumers'."
                )
            }
        case .tenant(let tenant):
            let isAway = tenant.id != home.id
            if isAway, application.audience == .oneTenant || !application.audience.takesWork {
                throw unknown(clientID, authority)
            }
        case .common where application.audience == .oneTenant,
            .organizations where application.audience == .oneTenant:
            throw .invalidRequest(
                50194,
                "The application is registered for one tenant. Use an authority with that tenant,"
                    + " or register the application for several tenants."
            )
        case .organizations where !application.audience.takesWork:
            throw .invalidRequest(
                90130,
                "The application is for personal accounts; use the authority '/consumers'."
            )
        case .common, .organizations: break
        }
        if application.isDisabled {
            throw ProtocolError(
                "unauthorized_client",
                7_000_112,
                "The application '\(clientID)' is disabled."
            )
        }
        return application
    }

    private static func unknown(_ clientID: String, _ authority: Authority) -> ProtocolError {
        ProtocolError(
            "unauthorized_client",
            700_016,
            "The application '\(clientID)' is not in the directory of '\(authority.segment)'."
        )
    }
}

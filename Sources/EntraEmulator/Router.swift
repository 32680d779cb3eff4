import HTTPTypes
import Jansson

/// Finds the endpoint for a request.
struct Router: Sendable {
    let emulator: Emulator
    let origin: Origin

    func respond(to request: EmulatorRequest) -> EmulatorResponse {
        if let file = Asset.response(request.path) { return file }
        let segments = request.path.split(separator: "/").map(String.init)
        switch segments.first {
        case nil: return welcome()
        case "v1.0", "beta":
            return answer(.graph) {
                Graph(emulator: emulator, origin: origin).respond(to: request)
            }
        case "oidc" where segments.last == "userinfo":
            return answer(.userinfo) { UserInfo(emulator: emulator).respond(to: request) }
        case "device" where segments.count == 1:
            let page = DeviceSignIn(emulator: emulator, origin: origin)
            return answer(.authorize) { page.respond(to: request) }
        default: break
        }
        guard segments.count > 1 else { return notFound() }
        guard let (authority, rest) = emulator.finder.authority(at: origin, segments) else {
            return unknownTenant(segments[0])
        }
        return respond(to: request, authority, rest.joined(separator: "/"))
    }

    private func respond(
        to request: EmulatorRequest,
        _ authority: Authority,
        _ path: String
    ) -> EmulatorResponse {
        switch path {
        case "v2.0/.well-known/openid-configuration":
            return answer(.discovery) { document(discovery(authority).json) }
        case ".well-known/openid-configuration":
            let id = authority.tenant?.id ?? "{tenantid}"
            return answer(.discovery) { document(discovery(authority).version1(tenantID: id)) }
        case "discovery/instance":
            let json = InstanceDiscovery.json(
                at: origin,
                authority: authority,
                endpoint: QueryItems(request.query)["authorization_endpoint"]
            )
            return answer(.discovery) { document(json) }
        case "discovery/v2.0/keys", "discovery/keys":
            let keys = KeySetDocument(keys: emulator.keys, finder: emulator.finder)
            return answer(.keys) { document(keys.json(authority)) }
        case "oauth2/v2.0/authorize":
            let authorize = Authorize(emulator: emulator, origin: origin, authority: authority)
            return answer(.authorize) { authorize.respond(to: request) }
        case "oauth2/v2.0/token":
            let token = TokenEndpoint(emulator: emulator, origin: origin, authority: authority)
            return answer(.token) { token.respond(to: request) }
        case "oauth2/v2.0/devicecode" where authority.policy == nil:
            let device = DeviceAuthorization(
                emulator: emulator,
                origin: origin,
                authority: authority
            )
            return answer(.deviceCode) { device.respond(to: request) }
        case "oauth2/v2.0/logout", "oauth2/logout":
            let logout = Logout(emulator: emulator, origin: origin, authority: authority)
            let asks = path == "oauth2/v2.0/logout"
            return answer(.logout) { logout.respond(to: request, asksAlways: asks) }
        case "adminconsent", "v2.0/adminconsent":
            let consent = AdminConsent(emulator: emulator, origin: origin, authority: authority)
            return answer(.authorize) { consent.respond(to: request) }
        default:
            guard let endpoint = UnsupportedEndpoint(rawValue: path) else { return notFound() }
            return endpoint.response(emulator, authority)
        }
    }

    /// The endpoint's answer, with the faults that are switched on.
    private func answer(
        _ endpoint: Endpoint,
        _ response: () -> EmulatorResponse
    ) -> EmulatorResponse {
        FaultInjection(faults: emulator.faults, endpoint: endpoint).apply(response)
    }

    private func discovery(_ authority: Authority) -> DiscoveryDocument {
        DiscoveryDocument(
            origin: origin,
            authority: authority,
            issuer: emulator.finder.issuer(authority)
        )
    }

    private func document(_ json: JSON) -> EmulatorResponse {
        var response = EmulatorResponse.json(.ok, json)
        response.http.headerFields[.cacheControl] = "max-age=86400, private"
        response.http.headerFields[.accessControlAllowOrigin] = "*"
        return response
    }

    private func unknownTenant(_ segment: String) -> EmulatorResponse {
        let error = ProtocolError(
            "invalid_tenant",
            90002,
            "There is no tenant '\(segment)' at this address. Check its id, and whether the tenant"
                + " is in another cloud."
        )
        return .json(.badRequest, error.json(emulator.correlation()))
    }

    private func notFound() -> EmulatorResponse {
        var page = welcome("Page not found")
        page.http.status = .notFound
        return page
    }

    private func welcome(_ title: String = "Nothing to sign in to") -> EmulatorResponse {
        WelcomePage(title: title, origin: origin, directory: emulator.directory).response
    }
}

extension Emulator {
    public func respond(to request: EmulatorRequest) -> EmulatorResponse {
        guard let origin = origin(of: request) else {
            return EmulatorResponse(
                .misdirectedRequest,
                Array("the emulator serves this machine only\n".utf8)
            )
        }
        let router = Router(emulator: self, origin: origin)
        var response = router.respond(to: request)
        response.http.headerFields[.msRequestID] = guid()
        response.http.headerFields[.date] = UniversalTime.httpDate(now())
        return response
    }

    /// The origin of a request, or `nil` for a host that may be another machine.
    ///
    /// Thus a page of another site whose name resolves to this machine (DNS rebinding) reaches
    /// nothing.
    private func origin(of request: EmulatorRequest) -> Origin? {
        guard let authority = request.http.authority, !authority.isEmpty else { return base }
        return Origin(scheme: base.scheme, authority: authority)
    }
}

extension HTTPField.Name {
    fileprivate static let msRequestID = HTTPField.Name("x-ms-request-id") ?? .date
}

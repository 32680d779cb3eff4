import HTTPTypes
import Jansson

/// The endpoints at which a program on an Azure machine gets a token without a secret: IMDS of
/// virtual machines, and the one of App Service.
///
/// They are at the administration port, which only programs of this machine use.
struct ManagedIdentityEndpoint: Sendable {
    static let instanceMetadataPath = "/metadata/identity/oauth2/token"
    static let appServicePath = "/msi/token"

    let emulator: Emulator

    func respond(to request: EmulatorRequest) -> EmulatorResponse {
        let items = QueryItems(request.query)
        let isAppService = request.path == Self.appServicePath
        // Header fields that no redirect and no form can make a browser send.
        let proof = isAppService ? "X-IDENTITY-HEADER" : "Metadata"
        guard let name = HTTPField.Name(proof), let value = request.http.headerFields[name],
            isAppService || value.lowercased() == "true"
        else { return refusal("bad_request", "The header '\(proof)' is missing.", request) }
        let version = isAppService ? "2019-08-01" : "2018-02-01"
        guard items["api-version"] == version else {
            return refusal("bad_request", "'api-version' must be '\(version)'.", request)
        }
        guard let resource = items["resource"] else {
            return refusal("invalid_request", "'resource' is missing.", request)
        }
        guard let (identity, tenant) = identity(items) else {
            return refusal("invalid_request", "Identity not found", request)
        }
        let now = emulator.now()
        let claims: JSON = [
            "aud": .string(resource), "iss": .string(emulator.finder.issuer(tenant)),
            "iat": .integer(now), "nbf": .integer(now), "exp": .integer(now + 86_400),
            "azp": .string(identity.clientID), "idtyp": "app",
            "oid": .string(identity.principalID), "sub": .string(identity.principalID),
            "tid": .string(tenant.id), "ver": "2.0",
        ]
        let key = try? emulator.keys.signing(SigningKeys.Family(tenant))
        guard let token = try? key?.sign(claims) else {
            return EmulatorResponse(.internalServerError)
        }
        var answer: JSON.Members = [
            "access_token": .string(token), "resource": .string(resource), "token_type": "Bearer",
            "client_id": .string(identity.clientID),
            // Azure sends numbers as strings here.
            "expires_on": .string("\(now + 86_400)"),
        ]
        if !isAppService { answer["expires_in"] = "86400" }
        emulator.events.add(["event": "managed-identity", "identity": .string(identity.name)])
        return .json(.ok, .object(answer))
    }

    /// The requested identity, or the only one.
    private func identity(_ items: QueryItems) -> (ManagedIdentity, Tenant)? {
        let all = emulator.directory.tenants.flatMap { tenant in
            tenant.managedIdentities.map { ($0, tenant) }
        }
        if let id = items["client_id"] ?? items["clientid"] {
            return all.first { $0.0.clientID == id.lowercased() }
        }
        if let id = items["object_id"] ?? items["principal_id"] {
            return all.first { $0.0.principalID == id.lowercased() }
        }
        return all.count == 1 ? all.first : nil
    }

    /// The error in the format of the endpoint.
    private func refusal(
        _ error: String,
        _ description: String,
        _ request: EmulatorRequest
    ) -> EmulatorResponse {
        let json: JSON =
            request.path == Self.appServicePath
            ? ["statusCode": 400, "message": .string(description)]
            : ["error": .string(error), "error_description": .string(description)]
        return .json(.badRequest, json)
    }
}

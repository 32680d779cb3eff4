import Jansson

/// The discovery document, with its members in Entra's order.
///
/// PKCE is enforced, although the document does not advertise it, as at Entra.
struct DiscoveryDocument: Sendable {
    /// The origin of the request; the endpoints have the same origin.
    let origin: Origin
    let authority: Authority
    let issuer: String

    /// The document of the v2.0 endpoint.
    var json: JSON {
        let own = "\(origin.text)\(authority.path)"
        let endpoints = "\(own)/oauth2/v2.0"
        var members: JSON.Members = [
            "token_endpoint": .string("\(endpoints)/token"),
            "token_endpoint_auth_methods_supported": [
                "client_secret_post", "private_key_jwt", "client_secret_basic",
            ],
            "jwks_uri": .string("\(own)/discovery/v2.0/keys"),
            "response_modes_supported": ["query", "fragment", "form_post"],
            "subject_types_supported": ["pairwise"],
            "id_token_signing_alg_values_supported": ["RS256"],
            "response_types_supported": ["code", "id_token", "code id_token", "id_token token"],
            "scopes_supported": ["openid", "profile", "email", "offline_access"],
            "issuer": .string(issuer),
            "request_uri_parameter_supported": false,
            "userinfo_endpoint": .string("\(origin.text)/oidc/userinfo"),
            "authorization_endpoint": .string("\(endpoints)/authorize"),
            "device_authorization_endpoint": .string("\(endpoints)/devicecode"),
            "http_logout_supported": true,
            "frontchannel_logout_supported": true,
            "end_session_endpoint": .string("\(endpoints)/logout"),
            "claims_supported": [
                "sub", "iss", "cloud_instance_name", "cloud_instance_host_name",
                "cloud_graph_host_name", "msgraph_host", "aud", "exp", "iat", "auth_time", "acr",
                "nonce", "preferred_username", "name", "tid", "ver", "at_hash", "c_hash", "email",
            ],
            "kerberos_endpoint": .string("\(own)/kerberos"),
            "tenant_region_scope": authority.tenant == nil ? .null : "WW",
            "cloud_instance_name": .string(authority.cloud.instanceName),
            "cloud_graph_host_name": "graph.windows.net",
            // The emulator is also Graph, so that no test asks Microsoft.
            "msgraph_host": .string(origin.host + origin.port),
            "rbac_url": "https://pas.windows.net",
        ]
        // Azure AD B2C has no device codes.
        if authority.policy != nil { members["device_authorization_endpoint"] = nil }
        return .object(members)
    }

    /// The document of the v1 endpoint, which some libraries read for its logout endpoint.
    ///
    /// - Parameter tenantID: the tenant's id, or the placeholder.
    func version1(tenantID: String) -> JSON {
        let own = "\(origin.text)\(authority.path)"
        return [
            "token_endpoint": .string("\(own)/oauth2/token"),
            "token_endpoint_auth_methods_supported": [
                "client_secret_post", "private_key_jwt", "client_secret_basic",
            ],
            "jwks_uri": .string("\(own)/discovery/keys"),
            "response_modes_supported": ["query", "fragment", "form_post"],
            "subject_types_supported": ["pairwise"],
            "id_token_signing_alg_values_supported": ["RS256"],
            "response_types_supported": [
                "code", "id_token", "code id_token", "token id_token", "token",
            ],
            "scopes_supported": ["openid"],
            "issuer": .string("https://sts.windows.net/\(tenantID)/"),
            "authorization_endpoint": .string("\(own)/oauth2/authorize"),
            "http_logout_supported": true,
            "frontchannel_logout_supported": true,
            "end_session_endpoint": .string("\(own)/oauth2/logout"),
            "cloud_instance_name": .string(authority.cloud.instanceName),
            "msgraph_host": .string(origin.host + origin.port),
        ]
    }
}

import Jansson
import SiteauthConfiguration

extension Registration {
    /// The registration as Microsoft Graph defines it, also for the portal's page "Manifest".
    public var manifest: JSON {
        var web: JSON.Members = [
            "homePageUrl": .string("\(redirectURI.origin)/"),
            "redirectUris": .array(redirectURIs.map(JSON.string)),
            "implicitGrantSettings": [
                "enableIdTokenIssuance": false, "enableAccessTokenIssuance": false,
            ],
        ]
        web["logoutUrl"] = logoutURL.map(JSON.string)
        let claims = Self.optionalClaims.map { name -> JSON in
            ["name": .string(name), "essential": false]
        }
        var members: JSON.Members = [
            "displayName": .string(name), "signInAudience": .string(accounts.audience),
            "web": .object(web),
            // With `ApplicationGroup`, groups that are not assigned to the application do not fill
            // the token.
            "groupMembershipClaims": .string(usesSecurityGroups ? "ApplicationGroup" : "None"),
            "optionalClaims": [
                "idToken": .array(claims), "accessToken": [], "saml2Token": [],
            ],
            "appRoles": .array(roles.map(Self.role)),
            // Microsoft Graph, User.Read, which every registration made in the portal has.
            "requiredResourceAccess": [
                [
                    "resourceAppId": "00000003-0000-0000-c000-000000000000",
                    "resourceAccess": [
                        ["id": "e1fe6dd8-ba31-4d61-89e7-88639da4683d", "type": "Scope"]
                    ],
                ]
            ],
        ]
        if accounts.includesPersonal { members["api"] = ["requestedAccessTokenVersion": 2] }
        return .object(members)
    }

    /// ``manifest`` with each member on its own line.
    public var manifestText: String { Self.text(manifest, indent: "") + "\n" }

    private static func role(_ value: String) -> JSON {
        [
            "allowedMemberTypes": ["User"], "displayName": .string(value),
            "description": .string("Readers with the role '\(value)'"), "isEnabled": true,
            "value": .string(value), "id": .string(roleID(value)),
        ]
    }

    private static func text(_ json: JSON, indent: String) -> String {
        let inner = indent + "  "
        if let members = json.members, !members.names.isEmpty {
            let lines = members.names.map { name in
                let value = text(members[name] ?? .null, indent: inner)
                return "\(inner)\(JSON.string(name).text): \(value)"
            }
            return "{\n\(lines.joined(separator: ",\n"))\n\(indent)}"
        }
        if let list = json.array, !list.isEmpty {
            let lines = list.map { inner + text($0, indent: inner) }
            return "[\n\(lines.joined(separator: ",\n"))\n\(indent)]"
        }
        return json.text
    }
}

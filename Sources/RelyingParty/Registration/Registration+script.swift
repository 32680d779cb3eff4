import Jansson

extension Registration {
    /// The credential that the script creates for the site.
    public enum Proof: String, Sendable, CaseIterable { case certificate, secret, none }

    /// A POSIX shell script for the Azure CLI that creates the registration.
    ///
    /// Names are written only as JSON in a quoted here-document, which the shell does not expand.
    /// JSON escapes line breaks, so no name can end the document. The Azure CLI reads the JSON from
    /// files, so a name that begins with `@` is not taken for a file name.
    public func script(_ proof: Proof) -> String {
        [Self.start, application, principal, Self.consent, Self.proof(proof), end(proof)]
            .joined(separator: "\n")
    }

    private static let start = """
        #!/bin/sh
        # Creates an app registration in Microsoft Entra; each run creates another one.
        #
        # Required: the Azure CLI, 'az login' to the tenant whose readers will sign in, and the role
        # Cloud Application Administrator (or Application Developer, with an administrator who
        # consents afterwards).
        set -eu
        umask 077
        for file in siteauth.key siteauth.crt client_secret; do
            if [ -e "$file" ]; then
                echo "error: '$file' already exists; move it to another folder first" >&2
                exit 1
            fi
        done
        graph=$(az cloud show --query endpoints.microsoftGraphResourceId --output tsv)
        graph=${graph%/}/v1.0
        work=$(mktemp -d)
        trap 'rm -rf "$work"' EXIT

        # Entra takes some seconds to copy a change to all of its servers, so steps are retried.
        retry() {
            count=0
            until "$@"; do
                count=$((count + 1))
                [ "$count" -lt 6 ] || return 1
                sleep "${SITEAUTH_PAUSE:-5}"
            done
        }

        """

    private var application: String {
        """
        # --- the app registration
        cat >"$work/application.json" <<'END-OF-JSON'
        \(manifest.text)
        END-OF-JSON
        client_id=$(az rest --method POST --url "$graph/applications" \\
            --headers Content-Type=application/json --body "@$work/application.json" \\
            --query appId --output tsv)

        """
    }

    private var principal: String {
        let access =
            accounts.includesPersonal ? "" : "; in the portal, assign people and groups to it"
        return """
            # --- the enterprise application\(access)
            printf '{"appId":"%s","appRoleAssignmentRequired":\(!accounts.includesPersonal)}' \\
                "$client_id" >"$work/principal.json"
            retry az rest --method POST --url "$graph/servicePrincipals" \\
                --headers Content-Type=application/json --body "@$work/principal.json" \\
                --output none

            """
    }

    private static let consent = """
        # --- consent for everybody, so that no reader is asked
        retry az ad app permission admin-consent --id "$client_id" ||
            echo "warning: an administrator has to consent under 'API permissions' in the portal" >&2

        """

    private static func proof(_ proof: Proof) -> String {
        switch proof {
        case .certificate:
            """
            # --- a certificate for one year; '--append' keeps other credentials
            openssl req -x509 -newkey rsa:2048 -sha256 -nodes -days 365 -subj /CN=siteauth \\
                -keyout siteauth.key -out siteauth.crt
            retry az ad app credential reset --id "$client_id" --cert @siteauth.crt --append \\
                --output none

            """
        case .secret:
            """
            # --- a client secret for one year, in a file; '--append' keeps other credentials
            az ad app credential reset --id "$client_id" --display-name siteauth --years 1 \\
                --append --query password --output tsv >client_secret

            """
        case .none: "# --- no credential; add a federated credential in the portal\n"
        }
    }

    private func end(_ proof: Proof) -> String {
        let lines =
            switch proof {
            case .certificate:
                "client_certificate = \"siteauth.crt\"\nclient_key = \"siteauth.key\""
            case .secret: "client_secret_file = \"client_secret\""
            case .none: "# add a credential here"
            }
        let owner =
            switch accounts {
            case .tenant: "$tenant"
            case .organizations: "organizations"
            case .all: "common"
            case .personal: "consumers"
            }
        return """
            login=$(az cloud show --query endpoints.activeDirectory --output tsv)
            tenant=$(az account show --query tenantId --output tsv)
            cat <<END
            client_id = "$client_id"
            authority = "${login%/}/\(owner)"
            \(lines)
            END

            """
    }
}

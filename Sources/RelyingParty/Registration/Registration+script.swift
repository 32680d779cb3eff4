import Jansson
import SiteauthConfiguration

extension Registration {
    /// The credential that the script creates for the site.
    public enum Proof: String, Sendable, CaseIterable { case certificate, secret, none }

    /// A POSIX shell script for the Azure CLI that creates the registration.
    ///
    /// Names are written only as JSON in a quoted here-document, which the shell does not expand.
    /// JSON escapes line breaks, so no name can end the document. The Azure CLI reads the JSON from
    /// files, so a name that begins with `@` is not taken for a file name.
    public func script(_ proof: Proof) -> String {
        [Self.start, application, principal, Self.consent, Self.proof(proof), secrets(proof)]
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
        for file in secrets.toml siteauth.key siteauth.crt client_secret; do
            if [ -e "$file" ]; then
                echo "error: '$file' already exists; move it to another folder first" >&2
                exit 1
            fi
        done
        graph=$(az cloud show --query endpoints.microsoftGraphResourceId --output tsv)
        graph=${graph%/}/v1.0
        work=$(mktemp -d)
        client_id=
        # A run that fails leaves no files, so the script can be run again.
        finish() {
            code=$?
            rm -rf "$work"
            [ "$code" -ne 0 ] || return 0
            rm -f secrets.toml siteauth.key siteauth.crt client_secret
            [ -z "$client_id" ] || cat >&2 <<END
        error: the registration $client_id is incomplete; delete it before you run the script again:
            az ad app delete --id $client_id
        END
        }
        trap finish EXIT
        trap 'exit 130' HUP INT TERM

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
                --append --query password --output tsv >"$work/client_secret"
            if [ ! -s "$work/client_secret" ]; then
                echo "error: the Azure CLI printed no secret" >&2
                exit 1
            fi
            mv "$work/client_secret" client_secret

            """
        case .none: "# --- no credential; add a federated credential in the portal\n"
        }
    }

    private func secrets(_ proof: Proof) -> String {
        let (lines, files) =
            switch proof {
            case .certificate:
                (
                    "client_certificate = \"siteauth.crt\"\nclient_key = \"siteauth.key\"",
                    "secrets.toml, siteauth.crt and siteauth.key"
                )
            case .secret:
                ("client_secret_file = \"client_secret\"", "secrets.toml and client_secret")
            case .none: ("# add a credential here", "secrets.toml")
            }
        let owner =
            switch accounts {
            case .tenant: "$tenant"
            case .organizations: "organizations"
            case .all: "common"
            case .personal: "consumers"
            }
        // A JSON string is a TOML string.
        return """
            # --- the configuration of siteauth
            login=$(az cloud show --query endpoints.activeDirectory --output tsv)
            tenant=$(az account show --query tenantId --output tsv)
            cookie_secret=$(openssl rand -base64 32)
            cat >secrets.toml <<'END'
            [auth]
            redirect_uri = \(JSON.string(redirectURI.text).text)
            END
            cat >>secrets.toml <<END
            cookie_secret = "$cookie_secret"
            client_id = "$client_id"
            authority = "${login%/}/\(owner)"
            \(lines)
            END
            cat <<END
            The application (client) ID is $client_id.
            Move these files into the folder of the site below /etc/siteauth, where only siteauth may
            read them: \(files).
            END

            """
    }
}

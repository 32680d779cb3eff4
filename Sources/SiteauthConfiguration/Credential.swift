import JOSE

/// The credential with which this site authenticates at the token endpoint.
public enum Credential: Sendable, Equatable {
    case secret(String, SecretMethod)
    case certificate(CertificateFiles)
    /// A token of another issuer, such as a Kubernetes cluster, in a file that its writer renews.
    case federatedToken(path: String)
    case managedIdentity(ManagedIdentity)

    /// How a secret is sent (RFC 6749, section 2.3.1).
    public enum SecretMethod: String, Sendable, CaseIterable {
        case post = "client_secret_post"
        case basic = "client_secret_basic"
    }

    /// How the key of a certificate signs.
    public enum AssertionAlgorithm: String, Sendable, CaseIterable {
        /// Names the certificate by `x5t#S256`.
        case ps256 = "PS256"
        /// Names the certificate by `x5t`.
        case rs256 = "RS256"

        package var signature: SignatureAlgorithm { self == .ps256 ? .ps256 : .rs256 }
    }

    /// A registered certificate and its key, both in PEM.
    public struct CertificateFiles: Sendable, Equatable {
        public let certificate: String
        public let key: String
        public let algorithm: AssertionAlgorithm
    }

    /// A user-assigned identity of the machine in Azure that siteauth runs on.
    public struct ManagedIdentity: Sendable, Equatable {
        public let clientID: String
        public let service: Service

        /// The service that issues the tokens.
        public enum Service: Sendable, Equatable {
            /// The service of App Service, Functions and Container Apps.
            case appService(WebURL, header: String)
            /// The service of virtual machines (IMDS), whose path is fixed.
            case instanceMetadata(WebURL)
        }
    }
}

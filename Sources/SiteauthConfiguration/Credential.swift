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

    /// A registered certificate and its key, both in PEM.
    public struct CertificateFiles: Sendable, Equatable {
        public let certificate: String
        public let key: String
        /// PS256 with `x5t#S256`, or RS256 with `x5t`.
        public let algorithm: SignatureAlgorithm
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

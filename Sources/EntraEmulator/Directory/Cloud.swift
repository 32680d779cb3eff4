/// One of Microsoft's clouds, each with its own tenants.
public enum Cloud: String, Sendable, CaseIterable {
    case `public`
    case usGovernment = "us-government"
    case china

    /// Microsoft's host of its authorities.
    var host: String {
        switch self {
        case .public: "login.microsoftonline.com"
        case .usGovernment: "login.microsoftonline.us"
        case .china: "login.partner.microsoftonline.cn"
        }
    }

    /// `cloud_instance_name` of discovery documents and keys.
    var instanceName: String {
        switch self {
        case .public: "microsoftonline.com"
        case .usGovernment: "microsoftonline.us"
        case .china: "partner.microsoftonline.cn"
        }
    }

    /// The common name in the certificates of its keys.
    var certificateName: String {
        self == .public ? "accounts.accesscontrol.windows.net" : host
    }
}

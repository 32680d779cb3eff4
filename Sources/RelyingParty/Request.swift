import HTTPTypes

/// A request as nginx hands it over.
///
/// Of what comes from the browser, only ``method``, ``query``, ``headerFields`` and ``body`` are
/// here. What decides anything comes from FastCGI parameters that nginx sets itself; no
/// `X-Forwarded-…`, `X-Original-…` or `Host` is ever looked at.
public struct Request: Sendable {
    public var route: Route
    public var method: HTTPRequest.Method
    /// Without `?`, as the browser sent it.
    public var query: String
    public var headerFields: HTTPFields
    public var body: [UInt8]
    /// What the browser asked for when it was sent here to sign in: `$request_uri`.
    public var wantedURI: String?
    /// The release that nginx is about to serve from.
    public var release: String?
    /// Whose connection it is, where nginx says that only operators get here.
    public var operatorAddress: String?
    /// Whose connection it is, whoever that may be.
    public var clientAddress: String?
    /// The number under which log lines and pages name this request.
    public var reference: String

    public init(
        route: Route,
        method: HTTPRequest.Method = .get,
        query: String = "",
        headerFields: HTTPFields = [:],
        body: [UInt8] = [],
        wantedURI: String? = nil,
        release: String? = nil,
        operatorAddress: String? = nil,
        clientAddress: String? = nil,
        reference: String
    ) {
        self.route = route
        self.method = method
        self.query = query
        self.headerFields = headerFields
        self.body = body
        self.wantedURI = wantedURI
        self.release = release
        self.operatorAddress = operatorAddress
        self.clientAddress = clientAddress
        self.reference = reference
    }

    /// Where it comes from, for counting.
    var network: String? { clientAddress.map(ClientNetwork.name) }

    var cookie: String? { headerFields[.cookie] }

    /// Whether a person follows a link.
    var isNavigation: Bool { fetch.isNavigation }

    /// Whether a person sees the answer: they follow a link or send a form.
    var isForPage: Bool { fetch.isForPage }

    private var fetch: FetchMetadata { FetchMetadata(headerFields, method: method) }

    /// Whether the browser only guesses that the page may be wanted.
    var isPrefetch: Bool {
        let purpose = headerFields[.secPurpose] ?? headerFields[.purpose] ?? ""
        return purpose.lowercased().contains("prefetch")
    }
}

extension HTTPField.Name {
    static let secFetchMode = literal("Sec-Fetch-Mode")
    static let secFetchSite = literal("Sec-Fetch-Site")
    static let purpose = literal("Purpose")
    static let xRequestedWith = literal("X-Requested-With")
    /// What proxies add that ask for somebody else.
    static let forwarding = [
        "X-Forwarded-For", "X-Real-IP", "Forwarded", "Via", "X-Forwarded-Host", "X-Forwarded-Proto",
        "CF-Connecting-IP", "True-Client-IP", "X-Client-IP", "X-Cluster-Client-IP",
        "Fastly-Client-IP", "Fly-Client-IP", "X-Azure-ClientIP", "X-Azure-SocketIP",
        "X-Original-Forwarded-For",
    ].map(literal)
    static let clearSiteData = literal("Clear-Site-Data")

    static func literal(_ name: String) -> HTTPField.Name {
        guard let name = HTTPField.Name(name) else {
            preconditionFailure("'\(name)' is no name for a header field")
        }
        return name
    }
}

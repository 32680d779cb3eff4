import HTTPTypes

/// A request as nginx passes it on.
///
/// Only ``method``, ``query``, ``headerFields`` and ``body`` come from the browser. Decisions
/// depend on FastCGI parameters that nginx sets itself; `X-Forwarded-…`, `X-Original-…` and `Host`
/// are never believed.
public struct Request: Sendable {
    public var route: Route
    public var method: HTTPRequest.Method
    /// The query as the browser sent it, without `?`.
    public var query: String
    public var headerFields: HTTPFields
    public var body: [UInt8]
    /// The path and query of the page that the reader asked for before nginx sent them here to sign
    /// in (`$request_uri`).
    ///
    /// Empty if its bytes are no UTF-8.
    public var wantedURI: String?
    /// The folder of the release that nginx is about to serve from.
    public var release: String?
    /// The client's address.
    public var clientAddress: String?
    /// The reference number of this request in log lines and on pages.
    public var reference: String

    public init(
        route: Route,
        method: HTTPRequest.Method = .get,
        query: String = "",
        headerFields: HTTPFields = [:],
        body: [UInt8] = [],
        wantedURI: String? = nil,
        release: String? = nil,
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
        self.clientAddress = clientAddress
        self.reference = reference
    }

    /// The path of ``wantedURI`` for the log.
    ///
    /// The query may contain anything, so it is not logged.
    var wantedPath: String? { wantedURI.map(Event.Subject.path) }

    /// The client's network, for counting.
    var network: String? { clientAddress.map(ClientNetwork.name) }

    var cookie: String? { headerFields[.cookie] }

    /// Whether a person follows a link.
    var isNavigation: Bool { fetch.isNavigation }

    /// Whether a person sees the answer, because they follow a link or send a form.
    var isForPage: Bool { fetch.isForPage }

    private var fetch: FetchMetadata { FetchMetadata(headerFields, method: method) }

    /// Whether the browser prefetches a page that the reader may want.
    var isPrefetch: Bool { fetch.isPrefetch }
}

extension HTTPField.Name {
    static let secFetchMode = literal("Sec-Fetch-Mode")
    static let secFetchSite = literal("Sec-Fetch-Site")
    static let purpose = literal("Purpose")
    static let xRequestedWith = literal("X-Requested-With")
    static let clearSiteData = literal("Clear-Site-Data")

    static func literal(_ name: String) -> HTTPField.Name {
        guard let name = HTTPField.Name(name) else {
            preconditionFailure("'\(name)' is no name for a header field")
        }
        return name
    }
}

import HTTPTypes

/// What a browser says about the purpose of a request (Fetch Metadata Request Headers).
///
/// A client can send anything here, so these fields decide how a reader is asked to sign in, never
/// whether.
public struct FetchMetadata: Sendable {
    /// The request's method; `GET` if nginx sends none.
    var method: String
    /// `Sec-Fetch-Mode`.
    var mode: String?
    var accept: String?
    /// `X-Requested-With`.
    var requestedWith: String?
    /// `Sec-Purpose`, or `Purpose` of older browsers.
    var purpose: String?

    public init(
        method: String? = nil,
        mode: String?,
        accept: String?,
        requestedWith: String?,
        purpose: String? = nil
    ) {
        self.method = method ?? "GET"
        // nginx passes a missing field on as an empty one.
        self.mode = mode.flatMap { $0.isEmpty ? nil : $0 }
        self.accept = accept.flatMap { $0.isEmpty ? nil : $0 }
        self.requestedWith = requestedWith
        self.purpose = purpose
    }

    /// Whether the browser prefetches a page that the reader may want.
    var isPrefetch: Bool { purpose?.lowercased().contains("prefetch") ?? false }

    init(_ fields: HTTPFields, method: HTTPRequest.Method = .get) {
        self.init(
            method: method.rawValue,
            mode: fields[.secFetchMode],
            accept: fields[.accept],
            requestedWith: fields[.xRequestedWith],
            purpose: fields[.secPurpose] ?? fields[.purpose]
        )
    }

    /// Whether a person follows a link; not a script or a page that fetches something, and not a
    /// form.
    ///
    /// A fetch that is redirected to the provider fails with a CORS error, and a form would lose
    /// its content on the way there and back.
    var isNavigation: Bool { isForPage && (method == "GET" || method == "HEAD") }

    /// Whether a person sees the answer, because they follow a link or send a form.
    var isForPage: Bool {
        if let mode { return mode == "navigate" }
        // Browsers without Fetch Metadata: navigations accept HTML, and scripts do not ask for it.
        guard requestedWith?.lowercased() != "xmlhttprequest" else { return false }
        return accept?.lowercased().contains("text/html") ?? false
    }
}

import CCurl
import HTTPTypes

/// An HTTPS client with limits: no redirects, no other protocols, a deadline, a maximum body size.
///
/// ``NetworkScope`` decides which machines it may reach. Each call has its own connection, so any
/// number of threads may use the client.
public struct HTTPClient: Sendable {
    /// The machines that a client may reach.
    public enum NetworkScope: Sendable {
        /// Every machine over https; plain http only to a loopback address, for the emulator.
        case secure
        /// Public addresses over http and https, never this machine or a private network.
        ///
        /// No proxy is used, because a proxy hides the address of the connection.
        case publicInternet
        /// Every machine over http and https.
        case anywhere
    }

    public let maximumBodyBytes: Int
    public let networkScope: NetworkScope
    /// Whether a body that is too large is cut instead of being an error.
    public let cutsBody: Bool
    public let connectSeconds: Int
    public let totalSeconds: Int
    /// Certificates of authorities in PEM, one of which must have issued the server's certificate;
    /// `nil` for the machine's own list.
    public let authorities: [UInt8]?

    public init(
        maximumBodyBytes: Int = 1 << 20,
        connectSeconds: Int = 5,
        totalSeconds: Int = 10,
        networkScope: NetworkScope = .secure,
        cutsBody: Bool = false,
        authorities: [UInt8]? = nil
    ) {
        self.authorities = authorities
        self.networkScope = networkScope
        self.cutsBody = cutsBody
        self.maximumBodyBytes = maximumBodyBytes
        self.connectSeconds = connectSeconds
        self.totalSeconds = totalSeconds
    }

    /// Sets up libcurl, once for the process: in Debian 12 that is not thread-safe.
    public static func prepare() { _ = isPrepared }

    private static let isPrepared = curl_global_init(Int(CURL_GLOBAL_ALL)) == CURLE_OK

    public func send(
        _ request: HTTPRequest,
        body: [UInt8]
    ) throws(TransportError) -> (response: HTTPResponse, body: [UInt8]) {
        let scheme = request.scheme ?? ""
        let authority = request.authority ?? ""
        let isAllowed = networkScope == .secure ? Self.isLoopback(authority) : true
        guard scheme == "https" || (scheme == "http" && isAllowed) else {
            throw TransportError("'\(scheme)://\(authority)' is not https")
        }
        Self.prepare()
        guard let handle = unsafe curl_easy_init() else {
            throw TransportError("libcurl cannot make a handle")
        }
        defer { unsafe curl_easy_cleanup(handle) }
        let received = Received(maximumBodyBytes: maximumBodyBytes)
        let context = unsafe Unmanaged.passUnretained(received).toOpaque()
        var headers: UnsafeMutablePointer<curl_slist>?
        for field in request.headerFields {
            unsafe headers = curl_slist_append(headers, "\(field.name): \(field.value)")
        }
        defer { unsafe curl_slist_free_all(headers) }
        let url = "\(scheme)://\(authority)\(request.path ?? "/")"
        let protocols = scheme == "https" ? "https" : "http"

        unsafe shim_setopt_string(handle, CURLOPT_URL, url)
        unsafe shim_setopt_string(handle, CURLOPT_PROTOCOLS_STR, protocols)
        unsafe shim_setopt_long(handle, CURLOPT_FOLLOWLOCATION, 0)
        // Without this option libcurl uses signals for its deadline, which break programs with
        // threads.
        unsafe shim_setopt_long(handle, CURLOPT_NOSIGNAL, 1)
        unsafe shim_setopt_long(handle, CURLOPT_CONNECTTIMEOUT, connectSeconds)
        unsafe shim_setopt_long(handle, CURLOPT_TIMEOUT, totalSeconds)
        unsafe shim_setopt_list(handle, CURLOPT_HTTPHEADER, headers)
        if let authorities {
            let result = unsafe authorities.withUnsafeBytes { bytes in
                // libcurl copies the bytes.
                unsafe shim_setopt_authorities(handle, bytes.baseAddress, bytes.count)
            }
            // Otherwise the machine's own list would stay in use.
            guard result == CURLE_OK else {
                throw TransportError("libcurl does not accept the authorities of the provider")
            }
        }
        if scheme == "http" || networkScope == .publicInternet {
            unsafe shim_setopt_string(handle, CURLOPT_NOPROXY, "*")
        }
        if networkScope == .publicInternet {
            unsafe shim_setopt_opensocket(
                handle,
                CURLOPT_OPENSOCKETFUNCTION,
                Self.openPublicSocket
            )
            unsafe shim_setopt_pointer(handle, CURLOPT_OPENSOCKETDATA, context)
        }
        if request.method == .head { unsafe shim_setopt_long(handle, CURLOPT_NOBODY, 1) }
        unsafe shim_setopt_string(handle, CURLOPT_CUSTOMREQUEST, request.method.rawValue)
        unsafe shim_setopt_pointer(handle, CURLOPT_WRITEDATA, context)
        unsafe shim_setopt_write(handle, CURLOPT_WRITEFUNCTION, appendToBody)
        unsafe shim_setopt_pointer(handle, CURLOPT_HEADERDATA, context)
        unsafe shim_setopt_write(handle, CURLOPT_HEADERFUNCTION, appendToHeader)
        let result = unsafe body.withUnsafeBytes { bytes in
            if request.method == .post {
                unsafe shim_setopt_long(handle, CURLOPT_POSTFIELDSIZE, bytes.count)
                unsafe shim_setopt_pointer(
                    handle,
                    CURLOPT_POSTFIELDS,
                    UnsafeMutableRawPointer(mutating: bytes.baseAddress)
                )
            }
            return unsafe curl_easy_perform(handle)
        }
        guard result == CURLE_OK || (cutsBody && received.isBodyCut) else {
            if received.isRefused { throw TransportError.refusedAsPrivate(authority) }
            let reason = unsafe String(cString: curl_easy_strerror(result))
            let detail = received.isTooLarge ? "more than \(maximumBodyBytes) bytes" : reason
            throw TransportError("'\(scheme)://\(authority)': \(detail)")
        }
        var code = 0
        unsafe shim_response_code(handle, &code)
        var response = HTTPResponse(status: .init(code: code))
        response.headerFields = received.headerFields
        return (response, received.body)
    }

    /// Whether an authority (`host` or `host:port`) is certainly this machine.
    ///
    /// siteauth has already checked each address of its configuration with `WebURL`. This check is
    /// apart from that one, so that a mistake in one of the two sends no secret in plain text.
    public static func isLoopback(_ authority: String) -> Bool {
        var host = Substring(authority)
        if host.hasPrefix("[") {
            guard let end = host.firstIndex(of: "]") else { return false }
            return host[...end] == "[::1]"
        }
        if let colon = host.lastIndex(of: ":") { host = host[..<colon] }
        // libcurl resolves names below `localhost` itself, without a name server.
        return host == "localhost" || host == "127.0.0.1" || host.hasSuffix(".localhost")
    }
}

/// The part of a response that has arrived so far.
final class Received {
    let maximumBodyBytes: Int
    var body: [UInt8] = []
    var headerFields = HTTPFields()
    var headerBytes = 0
    var isTooLarge = false
    var isBodyCut = false
    var isRefused = false

    init(maximumBodyBytes: Int) { self.maximumBodyBytes = maximumBodyBytes }
}

/// libcurl's write callback; a result smaller than the given count ends the transfer.
private let appendToBody: curl_write_callback = { bytes, _, count, context in
    guard let bytes = unsafe bytes, let context = unsafe context else { return 0 }
    let received = unsafe Unmanaged<Received>.fromOpaque(context).takeUnretainedValue()
    guard received.body.count + count <= received.maximumBodyBytes else {
        received.isTooLarge = true
        received.isBodyCut = true
        return 0
    }
    unsafe received.body.append(
        contentsOf: UnsafeRawBufferPointer(start: UnsafeRawPointer(bytes), count: count)
    )
    return count
}

/// libcurl's header callback, called for each line, the status line included.
private let appendToHeader: curl_write_callback = { bytes, _, count, context in
    guard let bytes = unsafe bytes, let context = unsafe context else { return 0 }
    let received = unsafe Unmanaged<Received>.fromOpaque(context).takeUnretainedValue()
    received.headerBytes += count
    guard received.headerBytes <= 64 << 10 else {
        received.isTooLarge = true
        return 0
    }
    let line = unsafe String(
        decoding: UnsafeRawBufferPointer(start: UnsafeRawPointer(bytes), count: count),
        as: UTF8.self
    )
    if line.hasPrefix("HTTP/") { received.headerFields = HTTPFields() }
    if let colon = line.firstIndex(of: ":"),
        let name = HTTPField.Name(String(line[..<colon]))
    {
        let value = line[line.index(after: colon)...].filter { $0 != "\r\n" && $0 != "\n" }
        received.headerFields.append(
            HTTPField(name: name, value: String(value.drop { $0 == " " }))
        )
    }
    return count
}

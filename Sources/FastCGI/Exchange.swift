import CFastCGI
import HTTPTypes

/// One request and its response, while a thread works on it.
///
/// It must not be kept after the call: libfcgi frees its memory when the request ends.
@safe public struct Exchange: GatewayExchange, ~Copyable {
    /// nginx accepts some hundred fields at most; swift-http-types traps at 65,536.
    private static let maximumFields = 1000

    private let request: UnsafeMutablePointer<FCGX_Request>

    init(_ request: UnsafeMutablePointer<FCGX_Request>) { unsafe self.request = unsafe request }

    public func variable(_ name: String) -> String? {
        guard let value = unsafe FCGX_GetParam(name, request.pointee.envp) else { return nil }
        return unsafe String(validatingCString: value)
    }

    public var headerFields: HTTPFields {
        var fields = HTTPFields()
        guard var entry = unsafe request.pointee.envp else { return fields }
        while let text = unsafe entry.pointee, fields.count < Self.maximumFields {
            // A neighbouring host may set a cookie in another encoding, which must not hide
            // siteauth's cookies, so a field's broken bytes become U+FFFD instead of dropping the
            // field. Everything is compared by bytes: in Swift, `=` and a combining accent are one
            // Character, and such a field would have no name.
            let variable = unsafe String(cString: text)
            if let equals = variable.utf8.firstIndex(of: UInt8(ascii: "=")) {
                let value = String(variable[variable.utf8.index(after: equals)...])
                fields.append(variable: variable[..<equals], value: value)
            }
            unsafe entry += 1
        }
        if let type = variable("CONTENT_TYPE"), !type.isEmpty { fields[.contentType] = type }
        return fields
    }

    public func body(maximumBytes: Int) -> [UInt8]? {
        let announced = variable("CONTENT_LENGTH") ?? ""
        guard let length = announced.isEmpty ? 0 : Int(announced) else { return nil }
        guard (0...maximumBytes).contains(length) else { return nil }
        if length == 0 { return [] }
        var received = 0
        let body = unsafe [UInt8](unsafeUninitializedCapacity: length) { buffer, used in
            let count = unsafe buffer.withMemoryRebound(to: CChar.self) { characters in
                unsafe FCGX_GetStr(characters.baseAddress, Int32(length), request.pointee.in)
            }
            received = Int(count)
            used = max(received, 0)
        }
        return received == length ? body : nil
    }

    public func field(_ variable: String) -> String? {
        guard let value = unsafe FCGX_GetParam(variable, request.pointee.envp) else { return nil }
        return unsafe String(cString: value)
    }

    func send(_ response: HTTPResponse, body: [UInt8]) {
        let bytes = response.gatewayBytes(body: body)
        _ = unsafe bytes.withUnsafeBytes { buffer in
            unsafe FCGX_PutStr(
                buffer.baseAddress?.assumingMemoryBound(to: CChar.self),
                Int32(clamping: buffer.count),
                request.pointee.out
            )
        }
    }
}

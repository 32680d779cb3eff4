import HTTPTypes

/// One request from nginx, by FastCGI or by CGI (RFC 3875).
public protocol GatewayExchange: ~Copyable {
    /// A variable of the request, or `nil` if it is missing or not UTF-8.
    ///
    /// Variables that begin with `HTTP_` come from the client; the others come from nginx.
    func variable(_ name: String) -> String?

    /// A header field's text; broken bytes become U+FFFD.
    func field(_ variable: String) -> String?

    /// The request's header fields, from the variables that begin with `HTTP_`.
    ///
    /// nginx maps `X_Name` and `X-Name` to one variable, so a header field must never carry
    /// identity or anything else that only nginx should say.
    var headerFields: HTTPFields { get }

    /// The body, or `nil` if it has more than `maximumBytes` or fewer bytes than announced.
    func body(maximumBytes: Int) -> [UInt8]?
}

extension HTTPFields {
    /// Adds the field of a variable such as `HTTP_ACCEPT`; other variables are not fields.
    mutating func append(variable: Substring, value: String) {
        guard variable.utf8.starts(with: "HTTP_".utf8) else { return }
        let name = variable.utf8.dropFirst(5).map { byte in
            switch byte {
            case UInt8(ascii: "_"): UInt8(ascii: "-")
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte | 0x20
            default: byte
            }
        }
        guard let name = HTTPField.Name(String(decoding: name, as: UTF8.self)) else { return }
        append(HTTPField(name: name, value: value))
    }
}

extension HTTPResponse {
    /// The response as a gateway expects it (RFC 3875, section 6).
    func gatewayBytes(body: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(256 + body.count)
        bytes += "Status: \(status.code) ".utf8
        bytes += status.reasonPhrase.utf8
        for field in headerFields {
            bytes += "\r\n".utf8
            bytes += field.name.rawName.utf8
            bytes += ": ".utf8
            bytes += field.value.utf8
        }
        bytes += "\r\n\r\n".utf8
        bytes += body
        return bytes
    }
}

import HTTPTypes
import POSIX

/// The request of a CGI process (RFC 3875): variables in the environment, the body on standard
/// input, the response to standard output.
public struct CGIExchange: GatewayExchange {
    private let variables: [String: String]

    /// - Returns: `nil` if the process was not started by a CGI server.
    public init?(_ environment: [String: String] = Host.environment) {
        guard environment["GATEWAY_INTERFACE"]?.hasPrefix("CGI/") == true,
            environment["REQUEST_METHOD"]?.isEmpty == false
        else { return nil }
        variables = environment
    }

    public func variable(_ name: String) -> String? { variables[name] }

    public func field(_ variable: String) -> String? { variables[variable] }

    public var headerFields: HTTPFields {
        var fields = HTTPFields()
        for (name, value) in variables.sorted(by: { $0.key < $1.key }) {
            fields.append(variable: name[...], value: value)
        }
        if let type = variables["CONTENT_TYPE"], !type.isEmpty { fields[.contentType] = type }
        return fields
    }

    public func body(maximumBytes: Int) -> [UInt8]? {
        let announced = variables["CONTENT_LENGTH"] ?? ""
        guard let length = announced.isEmpty ? 0 : Int(announced),
            (0...maximumBytes).contains(length)
        else { return nil }
        if length == 0 { return [] }
        let body = try? File.readStandardInput(maximumBytes: length)
        return body?.count == length ? body : nil
    }

    public func send(_ response: HTTPResponse, body: [UInt8]) throws(SystemError) {
        try StandardOutput.write(response.gatewayBytes(body: body))
    }
}

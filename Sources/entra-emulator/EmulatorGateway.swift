import EntraEmulator
import FastCGI
import HTTPTypes

/// Between FastCGI and the emulator.
enum EmulatorGateway {
    /// The addresses from which this machine talks to itself.
    private static let loopback = ["127.0.0.1", "::1", "unix:"]

    static func respond(
        _ exchange: borrowing Exchange,
        _ emulator: Emulator
    ) -> (response: HTTPResponse, body: [UInt8]) {
        // nginx may have been told to listen wider than we would.
        guard loopback.contains(exchange.variable("REMOTE_ADDR") ?? "") else {
            return (HTTPResponse(status: .forbidden), Array("for this machine only\n".utf8))
        }
        guard
            let method = exchange.variable("REQUEST_METHOD").flatMap({
                HTTPRequest.Method(rawValue: $0)
            }),
            let path = exchange.variable("REQUEST_URI"),
            let body = exchange.body(maximumBytes: 1 << 20)
        else { return (HTTPResponse(status: .badRequest), []) }
        let http = HTTPRequest(
            method: method,
            scheme: "http",
            authority: exchange.variable("HTTP_HOST"),
            path: path,
            headerFields: exchange.headerFields
        )
        let response = emulator.respond(to: EmulatorRequest(http, body: body))
        return (response.http, response.body)
    }
}

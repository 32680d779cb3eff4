/// The page for errors that Entra shows itself and does not send to the application, with status
/// 200.
struct ErrorPage: Sendable {
    let error: ProtocolError
    let correlation: ProtocolError.Correlation
    /// Where the user can pick another account; `nil` where that would not help.
    var onward: String?

    func response(_ tenant: String) -> EmulatorResponse {
        let way =
            onward.map {
                "\n<p class=\"actions\"><a class=\"button\" href=\"\(Page.escape($0))\">Pick another account</a></p>"
            } ?? ""
        let content = """
            <p>Microsoft Entra would show this error here, and not tell the application.</p>
            <p class="problem">\(Page.escape("AADSTS\(error.number): \(error.message)"))</p>
            <pre>Trace ID: \(correlation.traceID)
            Correlation ID: \(correlation.correlationID)
            Timestamp: \(correlation.time)</pre>\(way)
            """
        return Page(title: "Sign in", content: content).response(tenant)
    }
}

/// The page for errors that Entra shows itself and does not send to the application, with status
/// 200.
struct ErrorPage: Sendable {
    let error: ProtocolError
    let correlation: ProtocolError.Correlation

    func response(_ tenant: String) -> EmulatorResponse {
        let content = """
            <p>Microsoft Entra would show this error here, and not tell the application.</p>
            <p class="problem">\(Page.escape("AADSTS\(error.number): \(error.message)"))</p>
            <pre>Trace ID: \(correlation.traceID)
            Correlation ID: \(correlation.correlationID)
            Timestamp: \(correlation.time)</pre>
            """
        return Page(title: "Sign in", content: content).response(tenant)
    }
}

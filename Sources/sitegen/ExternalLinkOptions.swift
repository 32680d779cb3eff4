import ArgumentParser
import Curl
import HTTPTypes
import POSIX
import SiteGenerator

/// How links to other sites are tried.
struct ExternalLinkOptions: ParsableArguments {
    @Flag(help: "Also try links to other sites.")
    var external = false

    @Flag(help: "Also try addresses of this machine and of private networks.")
    var allowPrivate = false

    @Option(help: "Seconds for one answer.")
    var timeout = 10

    @Option(help: "Seconds after which no further link is tried.")
    var totalTime = 300

    @Option(help: "How many links are tried at once.")
    var parallel = 16

    @Option(help: "How many links of one host are tried at once.")
    var perHost = 2

    @Option(help: "Remembers which links were alive; '.sitegen/links.json' beside the site's file.")
    var cache: String?

    @Option(help: "Hours for which that is believed; 0 tries every link.")
    var maxAge = 24

    func validate() throws {
        let counts = [timeout, totalTime, parallel, perHost]
        guard counts.allSatisfy({ (1...86_400).contains($0) }), (0...8760).contains(maxAge) else {
            throw ValidationError("times and counts are whole numbers from 1, '--max-age' from 0")
        }
    }

    func check(beside configurationPath: String) -> ExternalLinkCheck {
        HTTPClient.prepare()
        let client = HTTPClient(
            maximumBodyBytes: 64 << 10,
            connectSeconds: min(5, timeout),
            totalSeconds: timeout,
            networkScope: allowPrivate ? .anywhere : .publicInternet,
            cutsBody: true
        )
        var check = ExternalLinkCheck(
            ask: { Self.ask($0, $1, client) },
            now: { Host.time }
        )
        check.jobs = parallel
        check.jobsPerHost = perHost
        check.totalSeconds = totalTime
        check.cacheSeconds = maxAge * 3600
        let slash = configurationPath.lastIndex(of: "/")
        let folder = slash.map { String(configurationPath[...$0]) } ?? ""
        if cache == nil { try? Folder.create("\(folder).sitegen") }
        check.cachePath = cache ?? "\(folder).sitegen/links.json"
        return check
    }

    private static func ask(
        _ address: ExternalAddress,
        _ method: ExternalLinkCheck.Method,
        _ client: HTTPClient
    ) -> ExternalLinkAnswer {
        let request = HTTPRequest(
            method: method == .head ? .head : .get,
            scheme: address.scheme,
            authority: address.authority,
            path: address.target,
            headerFields: [.accept: "*/*", .userAgent: "sitegen-check/0.1"]
        )
        do {
            let response = try client.send(request, body: []).response
            return .status(response.status.code, location: response.headerFields[.location])
        } catch {
            return error.isRefusedAsPrivate ? .refusedAsPrivate : .trouble(error.description)
        }
    }
}

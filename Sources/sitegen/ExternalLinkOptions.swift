import ArgumentParser
import Curl
import HTTPTypes
import POSIX
import Site
import SiteGenerator

/// How external links are checked.
struct ExternalLinkOptions: ParsableArguments {
    @Flag(help: "Also check links to other sites.")
    var external = false

    @Flag(help: "Also check links to this machine and to private networks.")
    var allowPrivate = false

    // The defaults are not values of these properties, so that an option without '--external' is
    // noticed.
    @Option(
        parsing: .unconditional,
        help: "Wait this many seconds for one answer. (default: 10)"
    )
    var timeout: Int?

    @Option(
        parsing: .unconditional,
        help: "Stop checking external links after this many seconds. (default: 300)"
    )
    var totalTime: Int?

    @Option(parsing: .unconditional, help: "Check this many links at once. (default: 16)")
    var parallel: Int?

    @Option(
        parsing: .unconditional,
        help: "Check this many links of one host at once. (default: 2)"
    )
    var perHost: Int?

    @Option(
        help:
            "Remember working links in this file (default: .sitegen/links.json beside sitegen.toml)."
    )
    var cache: String?

    @Option(
        parsing: .unconditional,
        help: "Trust remembered links for this many hours; 0 checks every link. (default: 24)"
    )
    var maxAge: Int?

    func validate() throws {
        let numbers = [
            ("--timeout", timeout, 1...86_400), ("--total-time", totalTime, 1...86_400),
            ("--parallel", parallel, 1...86_400), ("--per-host", perHost, 1...86_400),
            ("--max-age", maxAge, 0...8760),
        ]
        for case (let name, let number?, let range) in numbers where !range.contains(number) {
            let limits = "from \(range.lowerBound) to \(range.upperBound)"
            throw ValidationError("'\(name)' is \(number); it must be \(limits)")
        }
        if external { return }
        var given = numbers.filter { $0.1 != nil }.map(\.0)
        if cache != nil { given.append("--cache") }
        if allowPrivate { given.append("--allow-private") }
        if let name = given.first { throw ValidationError("'\(name)' needs '--external'") }
    }

    func check(beside configurationPath: String) -> ExternalLinkCheck {
        HTTPClient.prepare()
        let client = HTTPClient(
            maximumBodyBytes: 64 << 10,
            connectSeconds: min(5, timeout ?? 10),
            totalSeconds: timeout ?? 10,
            networkScope: allowPrivate ? .anywhere : .publicInternet,
            cutsBody: true
        )
        var check = ExternalLinkCheck(
            ask: { Self.ask($0, $1, client) },
            now: { Host.time }
        )
        check.jobs = parallel ?? 16
        check.jobsPerHost = perHost ?? 2
        check.totalSeconds = totalTime ?? 300
        check.cacheSeconds = (maxAge ?? 24) * 3600
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

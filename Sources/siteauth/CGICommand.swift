import ArgumentParser
import Curl
import FastCGI
import Logging
import POSIX
import RelyingParty

/// Answers one request per process, for small sites on machines where no program may keep running.
struct CGICommand: ParsableCommand {
    /// The socket of 'siteauth serve' that this process stands for.
    ///
    /// The script that nginx names decides, never the request: no client can turn a page request
    /// into a check.
    enum Part: String, ExpressibleByArgument { case check, pages, status }

    static let configuration = CommandConfiguration(
        commandName: "cgi",
        abstract: "Answer one request from fcgiwrap or another CGI server."
    )

    @Argument(help: "The kind of request that nginx sends: check, pages or status.")
    var part: Part

    @OptionGroup var options: ServiceOptions

    func run() throws {
        guard let exchange = CGIExchange() else {
            throw ValidationError(
                "no CGI request; a CGI server starts 'siteauth cgi' once for each request"
            )
        }
        let logger = options.logger
        do {
            let service = try options.prepare(logger)
            let live = service.live()
            let gateway = Gateway(live: live, logger: logger, pools: ProviderPools())
            let answer =
                switch part {
                case .check: gateway.check(exchange)
                case .pages: gateway.pageSynchronously(exchange)
                case .status: gateway.status(exchange)
                }
            try exchange.send(answer.response, body: answer.body)
            // There is no maintenance thread, so this process refreshes keys and cleans folders
            // itself.
            guard part == .pages else { return }
            try service.revocations.maintain(at: Host.time)
            let relyingParty = live.relyingParty
            for event in [relyingParty.refreshProvider(), relyingParty.credentialWarning()] {
                if let event { logger.log(event) }
            }
        } catch let error as SystemError {
            logger.error("\(error)")
            throw ExitCode.failure
        }
    }
}

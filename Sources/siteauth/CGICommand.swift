import ArgumentParser
import Curl
import FastCGI
import Logging
import POSIX
import RelyingParty

/// One request for each process, for small sites on machines where nothing may keep running.
struct CGICommand: ParsableCommand {
    /// Which of the two sockets of 'siteauth serve' it stands for.
    ///
    /// The script that nginx names says so, and never the request: nobody gets a check by asking.
    enum Part: String, ExpressibleByArgument { case check, pages }

    static let configuration = CommandConfiguration(
        commandName: "cgi",
        abstract: "Answer one request from fcgiwrap or another CGI server."
    )

    @Argument(help: "The kind of request that nginx sends: check or pages.")
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
                case .pages: gateway.pageAtOnce(exchange)
                }
            try exchange.send(answer.response, body: answer.body)
            // Nobody else looks after keys and folders here.
            guard part == .pages else { return }
            try service.revocations.maintain(at: Host.time)
            let relyingParty = live.relyingParty
            for event in [relyingParty.refreshProvider(), relyingParty.certificateWarning()] {
                if let event { logger.log(event) }
            }
        } catch let error as SystemError {
            logger.error("\(error)")
            throw ExitCode.failure
        }
    }
}

import Curl
import POSIX
import RelyingParty
import SiteauthConfiguration

extension Environment {
    /// The clock, the network and the disk of this machine.
    static func live() -> Environment {
        let client = HTTPClient()
        // Azure's metadata services speak plain http, at addresses of several networks.
        let machine = HTTPClient(
            maximumBodyBytes: 64 << 10,
            connectSeconds: 2,
            totalSeconds: 5,
            networkScope: .anywhere
        )
        var environment = Environment(
            now: { Host.time },
            random: Environment.systemRandom,
            send: { request, body in try client.send(request, body: body) }
        )
        environment.sendTrusting = { authorities in
            let client = HTTPClient(authorities: authorities)
            return { request, body in try client.send(request, body: body) }
        }
        environment.sendToMachine = { request, body in try machine.send(request, body: body) }
        environment.readFile = FileSnapshot.onDisk
        return environment
    }
}

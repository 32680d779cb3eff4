import Logging
import RelyingParty

/// All that answering takes, once the configuration is read and the disk is seen to be there.
struct PreparedService {
    let file: ConfigurationFile
    let logger: Logger
    let configuration: AuthConfiguration
    let revocations: RevocationList
    let environment: Environment
    let storage: Storage

    /// - Parameter gauges: what metrics tell of the program.
    func live(gauges: @escaping @Sendable () -> Gauges = { Gauges() }) -> LiveConfiguration {
        let (environment, storage) = (environment, storage)
        return LiveConfiguration(configuration, from: file, logger: logger) {
            configuration,
            former in
            RelyingParty(configuration, environment, storage, gauges: gauges, replacing: former)
        }
    }
}

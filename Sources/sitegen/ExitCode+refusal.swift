import ArgumentParser
import POSIX
import SiteGenerator

extension ExitCode {
    /// Does what a command does, and tells why where it did nothing.
    static func telling(_ work: () throws -> Void) throws {
        do { try work() } catch {
            let refusal = error as? CommandError
            StandardError.write("sitegen: error: \(refusal?.message ?? "\(error)")\n")
            throw refusal?.isDisk == false ? contentErrors : inputOutput
        }
    }
}

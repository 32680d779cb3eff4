import ArgumentParser
import Diagnostics
import POSIX
import SiteGenerator

extension ExitCode {
    /// Prints why a command failed.
    ///
    /// - Returns: the exit code that says whether the site or the disk is the reason.
    static func reporting(_ error: any Error) -> ExitCode {
        let commandError = error as? CommandError
        let message = SafeText.of(commandError?.message ?? "\(error)")
        StandardError.write("sitegen: error: \(message)\n")
        return commandError?.isDisk == false ? contentErrors : inputOutput
    }

    /// Runs a command, and reports the error that it throws.
    static func reportingErrors(of work: () throws -> Void) throws {
        do { try work() } catch { throw reporting(error) }
    }

    static func reportingErrors(of work: () async throws -> Void) async throws {
        do { try await work() } catch { throw reporting(error) }
    }
}

import Diagnostics
import POSIX

extension SiteConfiguration {
    /// Reads a `sitegen.toml` for a command that prints no other findings.
    ///
    /// - Returns: the configuration, and the folder of the file: empty, or with a slash at its end.
    package static func read(
        _ path: String
    ) throws(CommandError) -> (configuration: SiteConfiguration, folder: String) {
        let bytes: [UInt8]
        do { bytes = try File.read(path) } catch {
            let advice = error.isMissingFile ? "; 'sitegen init' creates a site" : ""
            throw CommandError("'\(path)': \(error.reason)\(advice)", isDisk: true)
        }
        let (configuration, diagnostics) = parse(bytes, path: path)
        if let mistake = diagnostics.sorted().first {
            let line = mistake.location.map { ":\($0.line)" } ?? ""
            throw CommandError("'\(path)\(line)': \(mistake.message)")
        }
        let slash = path.lastIndex(of: "/")
        return (configuration, slash.map { String(path[...$0]) } ?? "")
    }
}

import Diagnostics
import POSIX

extension SiteBuild {
    /// Builds the site, then builds it once more without the cache, and compares the two.
    ///
    /// Each file that differs is an error. Then the cache is removed, so that the next build makes
    /// everything anew.
    public static func runVerified(
        configurationPath: String?,
        _ options: BuildOptions
    ) async -> Outcome {
        var outcome = await run(configurationPath: configurationPath, options)
        guard outcome.release != nil else { return outcome }
        var again = options
        again.isIncremental = false
        again.syncs = false
        again.isForServer = false
        again.checks.writesBaseline = false
        again.output = "\(outcome.output)/.verify-\(Host.processID)"
        defer { if let folder = again.output { try? Folder.remove(folder) } }
        let clean = await run(configurationPath: configurationPath, again)
        guard clean.release != nil else {
            let message = "the build without the cache failed, or the site has changed meanwhile"
            outcome.diagnostics += clean.diagnostics
            outcome.diagnostics.append(Diagnostic(.error, message, at: nil))
            return outcome
        }
        do {
            let paths = try differences("\(outcome.output)/current", "\(clean.output)/current")
            if paths.isEmpty { return outcome }
            try? Folder.remove("\(outcome.output)/.cache")
            let shown = paths.prefix(10).map { "'\($0)'" }.joined(separator: ", ")
            let more = paths.count > 10 ? " and \(paths.count - 10) more" : ""
            let message =
                "the release differs from a build without the cache in \(shown)\(more); the cache is removed: build again"
            outcome.diagnostics.append(Diagnostic(.error, message, at: nil))
        } catch {
            outcome.diagnostics.append(Diagnostic(.error, "\(error)", at: nil))
        }
        return outcome
    }

    /// The paths of files that are not the same in two folders.
    private static func differences(_ left: String, _ right: String) throws(SystemError) -> [String]
    {
        let (one, other) = (try files(in: left), try files(in: right))
        var paths = Set(one).symmetricDifference(other)
        for path in one where !paths.contains(path) {
            if try File.read("\(left)/\(path)") != File.read("\(right)/\(path)") {
                paths.insert(path)
            }
        }
        return paths.sorted()
    }

    private static func files(in folder: String, below prefix: String = "")
        throws(SystemError) -> [String]
    {
        var files: [String] = []
        for entry in try Folder.entries(of: "\(folder)/\(prefix)") {
            let path = prefix + entry.name
            if entry.kind == .folder {
                files += try self.files(in: folder, below: "\(path)/")
            } else {
                files.append(path)
            }
        }
        return files
    }
}

import ArgumentParser
import SiteGenerator

/// What `build` and `check` both understand.
struct SiteOptions: ParsableArguments {
    @Option(
        name: .shortAndLong,
        help: "The file that describes the site.",
        completion: .file(extensions: ["toml"])
    )
    var config = "sitegen.toml"

    @Flag(help: "Warnings are errors.")
    var strict = false

    @Option(
        help: "A file with findings that are let pass; only new ones are told.",
        completion: .file()
    )
    var baseline: String?

    @Flag(help: "Write today's findings to the file that --baseline names.")
    var writeBaseline = false

    @Option(help: "How findings are told.")
    var format = Report.Format.text

    @Option(name: .shortAndLong, help: "How many cores work; all of them otherwise.")
    var jobs: Int?

    @Flag(name: .shortAndLong, help: "Tell errors alone.")
    var quiet = false

    @Flag(name: .shortAndLong, help: "Tell each step and its time.")
    var verbose = false

    func validate() throws {
        if writeBaseline, baseline == nil {
            throw ValidationError("'--write-baseline' needs '--baseline <file>'")
        }
        if quiet, verbose { throw ValidationError("'--quiet' and '--verbose' exclude each other") }
        if let jobs, jobs < 1 { throw ValidationError("'--jobs' is \(jobs); it must be 1 or more") }
    }

    /// The same for the library.
    func checkOptions(_ progress: BuildProgress) -> CheckOptions {
        var options = CheckOptions()
        options.isStrict = strict
        options.baseline = baseline
        options.writesBaseline = writeBaseline
        options.jobs = jobs
        options.progress = progress
        return options
    }
}

extension Report.Format: ExpressibleByArgument {}

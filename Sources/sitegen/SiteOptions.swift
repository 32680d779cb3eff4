import ArgumentParser
import Diagnostics
import POSIX
import Rules
import Site
import SiteGenerator

/// The options that `build`, `check`, `serve` and `print` have in common.
struct SiteOptions: ParsableArguments {
    @Option(
        name: .shortAndLong,
        help: "Read this configuration file (default: sitegen.toml, if it exists).",
        completion: .file(extensions: ["toml"])
    )
    var config: String?

    @Option(
        name: .shortAndLong,
        help: "Read pages from this folder, instead of 'source' in sitegen.toml.",
        completion: .directory
    )
    var source: String?

    @Option(help: "Use this URL of the site, instead of 'base_url' in sitegen.toml.")
    var baseURL: String?

    @Flag(help: "Publish drafts, too.")
    var drafts = false

    @Flag(help: "Publish pages whose 'date' is in the future, too.")
    var future = false

    @Flag(help: "Publish pages whose 'expiryDate' has passed, too.")
    var expired = false

    @Flag(
        help: "Report unknown front matter keys as warnings, except keys that may protect a page."
    )
    var lenient = false

    @Flag(help: "Publish even if the site has no page.")
    var allowEmpty = false

    @Option(
        name: .customLong("rule"),
        help: ArgumentHelp("Print only findings of this rule, and all of them.", valueName: "name")
    )
    var rules: [String] = []

    @Flag(help: "Treat warnings as errors.")
    var strict = false

    @Option(
        help: "Suppress the findings that this file records; print only new ones.",
        completion: .file()
    )
    var baseline: String?

    @Option(help: "Print findings in this format.")
    var format = Report.Format.text

    // Unconditional, so that `-3` is a wrong number instead of an option.
    @Option(
        name: .shortAndLong,
        parsing: .unconditional,
        help: "Use this many cores (default: all)."
    )
    var jobs: Int?

    @Flag(name: .shortAndLong, help: "Print errors only.")
    var quiet = false

    @Flag(name: .shortAndLong, help: "Print each step and its time.")
    var verbose = false

    func validate() throws {
        for name in rules where Rule(rawValue: name) == nil {
            let hint = NearestName.hint(name, in: Rule.allCases.map(\.rawValue))
            throw ValidationError("'--rule' is '\(name)', which is not a rule\(hint)")
        }
        if quiet, verbose { throw ValidationError("'--quiet' and '--verbose' cannot be combined") }
        if let jobs, jobs < 1 { throw ValidationError("'--jobs' is \(jobs); it must be 1 or more") }
    }

    /// These options as the library takes them.
    func buildOptions(_ progress: BuildProgress) -> BuildOptions {
        // reproducible-builds.org: the time that a build uses as the current time.
        let epoch = Host.environment["SOURCE_DATE_EPOCH"].flatMap { Int($0) }
        var options = BuildOptions(now: epoch ?? Host.time)
        options.source = source
        options.baseURL = baseURL
        options.isLenient = lenient
        options.allowsEmpty = allowEmpty
        options.checks.shownRules = Set(rules.compactMap(Rule.init))
        if drafts { options.included.insert(.draft) }
        if future { options.included.insert(.future) }
        if expired { options.included.insert(.expired) }
        options.checks.isStrict = strict
        options.checks.baseline = baseline
        options.checks.jobs = jobs
        options.checks.progress = progress
        return options
    }
}

extension Host {
    static var temporaryFolder: String {
        let named = environment["TMPDIR", default: ""]
        return named.isEmpty ? "/tmp" : named
    }
}

extension Report.Format: ExpressibleByArgument {}

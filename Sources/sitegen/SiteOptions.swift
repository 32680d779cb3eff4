import ArgumentParser
import Diagnostics
import POSIX
import SiteGenerator

/// What `build` and `check` both understand.
struct SiteOptions: ParsableArguments {
    @Option(
        name: .shortAndLong,
        help: "The file that describes the site (default: sitegen.toml, where there is one).",
        completion: .file(extensions: ["toml"])
    )
    var config: String?

    @Option(
        name: .shortAndLong,
        help: "The folder of the pages, instead of 'source' in the file.",
        completion: .directory
    )
    var source: String?

    @Option(help: "Where the site will be, instead of 'base_url' in the file.")
    var baseURL: String?

    @Flag(help: "Publish drafts, too.")
    var drafts = false

    @Flag(help: "Publish pages whose 'date' is to come, too.")
    var future = false

    @Flag(help: "Publish pages whose 'expiryDate' has passed, too.")
    var expired = false

    @Flag(
        help: "Make unknown keys of front matter warnings, but for those that may keep readers out."
    )
    var lenient = false

    @Flag(help: "Publish even if there is no page.")
    var allowEmpty = false

    @Option(
        name: .customLong("rule"),
        help: ArgumentHelp("Tell only findings of this rule, all of them.", valueName: "name")
    )
    var rules: [String] = []

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
        for name in rules where Rule(rawValue: name) == nil {
            let hint = NearestName.hint(name, in: Rule.allCases.map(\.rawValue))
            throw ValidationError("'--rule' is '\(name)', which is no rule\(hint)")
        }
        if quiet, verbose { throw ValidationError("'--quiet' and '--verbose' exclude each other") }
        if let jobs, jobs < 1 { throw ValidationError("'--jobs' is \(jobs); it must be 1 or more") }
    }

    /// The same for the library.
    func buildOptions(_ progress: BuildProgress) -> BuildOptions {
        // reproducible-builds.org: the time that a build is to take for now.
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
        options.checks.writesBaseline = writeBaseline
        options.checks.jobs = jobs
        options.checks.progress = progress
        return options
    }
}

extension Report.Format: ExpressibleByArgument {}

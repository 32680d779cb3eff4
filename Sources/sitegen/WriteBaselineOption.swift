import ArgumentParser

/// The option of `build` and `check` that records findings.
struct WriteBaselineOption: ParsableArguments {
    @Flag(help: "Record the current findings in the file of --baseline.")
    var writeBaseline = false

    func validate(_ site: SiteOptions) throws {
        if writeBaseline, site.baseline == nil {
            throw ValidationError("'--write-baseline' needs '--baseline <file>'")
        }
    }
}

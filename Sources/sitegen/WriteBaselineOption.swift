import ArgumentParser

/// The option of `build` and `check` that records findings.
struct WriteBaselineOption: ParsableArguments {
    @Flag(help: "Record the current findings in the file of --baseline, or of 'baseline' in sitegen.toml.")
    var writeBaseline = false
}

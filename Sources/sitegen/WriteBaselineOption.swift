import ArgumentParser

/// The option of `build` and `check` that records findings.
struct WriteBaselineOption: ParsableArguments {
    @Flag(
        help: "Record the current findings in the baseline, which --baseline or sitegen.toml names."
    )
    var writeBaseline = false
}

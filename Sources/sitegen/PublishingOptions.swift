import ArgumentParser

/// How `build` and `releases activate` switch to a release.
struct PublishingOptions: ParsableArguments {
    @Option(
        name: .customLong("wait"),
        parsing: .unconditional,
        help: "Wait this many seconds while another build publishes to the same folder."
    )
    var secondsToWait = 60

    @Flag(
        name: .customLong("no-fsync"),
        help: "Do not wait until the release is on disk; a power loss may then empty its pages."
    )
    var isUnsynced = false

    func validate() throws {
        if secondsToWait < 0 {
            throw ValidationError("'--wait' is \(secondsToWait); it must be 0 or more")
        }
    }
}

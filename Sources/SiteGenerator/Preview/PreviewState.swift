import Jansson

/// The state of a preview: the last good build, and the errors of the newest one.
public struct PreviewState: Sendable {
    var release: PreviewRelease?
    /// Identifies what open pages show.
    ///
    /// It changes with each good build, and with each build while there is no good one.
    ///
    /// Open pages reload when it changes. It differs in each run of the program.
    private(set) var generation: String
    /// The findings of the newest build as text, if it has errors; otherwise empty.
    private(set) var errors = ""
    private let run: UInt64
    private var builds = 0

    /// - Parameter run: a number that distinguishes this run of the program from earlier ones.
    init(run: UInt64) {
        self.run = run
        generation = "\(run)-0"
    }

    /// Records the end of a build.
    ///
    /// - Parameters:
    ///   - release: the new release; `nil` if there is none.
    ///   - errors: the findings as text if the build has errors; otherwise empty.
    mutating func finish(_ release: PreviewRelease?, errors: String) {
        builds += 1
        if let release { self.release = release }
        if release != nil || self.release == nil { generation = "\(run)-\(builds)" }
        self.errors = errors
    }

    /// The state as a server-sent event.
    var event: [UInt8] {
        // Without a release the page itself shows the errors.
        let told = release == nil ? "" : errors
        let state: JSON = ["generation": .string(generation), "errors": .string(told)]
        return Array("data: \(state.text)\n\n".utf8)
    }
}

import Jansson

/// How far a preview is: the last good build, and what is wrong with the newest one.
public struct PreviewState: Sendable {
    var release: PreviewRelease?
    /// Changes with each good build, and with each build while there is no good one.
    ///
    /// Open pages load themselves anew by it. It is another one in each run of the program.
    private(set) var generation: String
    /// The findings of the newest build where it has errors, as text; empty where it has none.
    private(set) var errors = ""
    private let run: UInt64
    private var builds = 0

    /// - Parameter run: tells this run of the program from those before it.
    init(run: UInt64) {
        self.run = run
        generation = "\(run)-0"
    }

    /// A build that is over.
    ///
    /// - Parameters:
    ///   - release: what it made; `nil` where it made nothing.
    ///   - errors: its findings as text where it has errors; otherwise empty.
    mutating func finish(_ release: PreviewRelease?, errors: String) {
        builds += 1
        if let release { self.release = release }
        if release != nil || self.release == nil { generation = "\(run)-\(builds)" }
        self.errors = errors
    }

    /// One server-sent event.
    var event: [UInt8] {
        // Without a release the page itself is the list of errors.
        let told = release == nil ? "" : errors
        let state: JSON = ["generation": .string(generation), "errors": .string(told)]
        return Array("data: \(state.text)\n\n".utf8)
    }
}

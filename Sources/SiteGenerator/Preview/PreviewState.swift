import Jansson

/// How far a preview is: the last good build, and what is wrong with the newest one.
public struct PreviewState: Sendable {
    var release: PreviewRelease?
    /// Changes with each good build, and is another one in each run of the program.
    var generation: String
    /// The findings of the newest build where it has errors, as text; empty where it has none.
    var errors = ""

    /// - Parameter run: tells this run of the program from those before it.
    init(run: UInt64) { generation = "\(run)-0" }

    /// One server-sent event.
    var event: [UInt8] {
        let state: JSON = ["generation": .string(generation), "errors": .string(errors)]
        return Array("data: \(state.text)\n\n".utf8)
    }
}

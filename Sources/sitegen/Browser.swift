import POSIX
import Subprocess

/// The browser of whoever sits in front of this machine.
enum Browser {
    /// Shows an address; where there is no browser, says so.
    static func open(_ url: String) async {
        let result = try? await run(
            .name("xdg-open"),
            arguments: [url],
            output: .discarded,
            error: .discarded
        )
        if result?.terminationStatus.isSuccess != true {
            StandardError.write("sitegen: warning: 'xdg-open' could not open a browser\n")
        }
    }
}

import POSIX
import Subprocess

/// The user's web browser.
enum Browser {
    /// Opens a URL; prints a warning if there is no browser.
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

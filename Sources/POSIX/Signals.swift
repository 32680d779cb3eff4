import Glibc

/// Signals that are waited for instead of handled.
public enum Signals {
    public static let terminate = SIGTERM
    public static let interrupt = SIGINT

    /// Blocks signals in this thread and in all that it starts; call it before the first thread.
    public static func block(_ signals: [Int32]) {
        var set = set(of: signals)
        unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
    }

    /// Waits for one of `signals`, which must be blocked.
    public static func wait(for signals: [Int32]) -> Int32 {
        var set = set(of: signals)
        var signal: Int32 = 0
        while unsafe sigwait(&set, &signal) != 0 {}
        return signal
    }

    /// A reader that went away is an error of the write, not the end of the program.
    public static func ignoreBrokenPipes() { signal(SIGPIPE, SIG_IGN) }

    private static func set(of signals: [Int32]) -> sigset_t {
        var set = sigset_t()
        unsafe sigemptyset(&set)
        for signal in signals { unsafe sigaddset(&set, signal) }
        return set
    }
}

import Glibc
import Synchronization

/// A thread of the operating system, for work that blocks.
///
/// Swift's own pool has as many threads as the machine has cores; one blocked read on each of them
/// would stop the program.
public enum WorkerThread {
    private final class Body {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Starts a thread that nobody waits for.
    public static func start(_ run: @escaping @Sendable () -> Void) throws(SystemError) {
        // A C function pointer captures nothing; the closure travels as its context.
        let context = unsafe Unmanaged.passRetained(Body(run)).toOpaque()
        var thread = pthread_t()
        let result = unsafe pthread_create(
            &thread,
            nil,
            { context in
                if let context = unsafe context {
                    unsafe Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
                }
                return nil
            },
            context
        )
        guard result == 0 else {
            unsafe Unmanaged<Body>.fromOpaque(context).release()
            throw SystemError("pthread_create", "thread", number: result)
        }
        pthread_detach(thread)
    }

    /// A thread that others may wake.
    public final class Handle: Sendable {
        /// Held while a signal is sent, so that the thread cannot end meanwhile.
        private let thread = Mutex<pthread_t?>(nil)

        public init() {}

        /// Runs with the calling thread as the one that is meant.
        public func run(_ body: () -> Void) {
            // A thread that another library has started may have every signal blocked, and those
            // that it starts have too.
            var signals = sigset_t()
            unsafe sigemptyset(&signals)
            unsafe sigaddset(&signals, SIGURG)
            unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
            thread.withLock { $0 = pthread_self() }
            body()
            thread.withLock { $0 = nil }
        }

        /// Lets the thread's wait at a ``ListeningSocket`` end with nothing; all else that it does
        /// goes on.
        public func interrupt() {
            // Its usual action is none, so a signal too many does no harm.
            signal(SIGURG) { _ in }
            thread.withLock { thread in
                if let thread { pthread_kill(thread, SIGURG) }
            }
        }
    }
}

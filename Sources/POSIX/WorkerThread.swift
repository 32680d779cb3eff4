import Glibc
import Synchronization

/// A thread of the operating system, for work that blocks.
///
/// Swift's own pool has one thread for each core; one blocked read on each of them would stop the
/// program.
public enum WorkerThread {
    private final class Body {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Starts a detached thread.
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

    /// A thread that other threads may interrupt.
    public final class Handle: Sendable {
        /// Held while a signal is sent, so that the thread cannot end meanwhile.
        private let thread = Mutex<pthread_t?>(nil)

        public init() {}

        /// Runs `body` with the calling thread as the thread of this handle.
        public func run(_ body: () -> Void) {
            // A thread that another library has started may block all signals, and so do the
            // threads that it starts.
            var signals = sigset_t()
            unsafe sigemptyset(&signals)
            unsafe sigaddset(&signals, SIGURG)
            unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
            thread.withLock { $0 = pthread_self() }
            body()
            thread.withLock { $0 = nil }
        }

        /// Interrupts the thread's wait at a ``ListeningSocket``, which then returns `nil`; nothing
        /// else is affected.
        public func interrupt() {
            // By default, SIGURG is ignored, so a superfluous signal does no harm.
            signal(SIGURG) { _ in }
            thread.withLock { thread in
                if let thread { pthread_kill(thread, SIGURG) }
            }
        }
    }
}

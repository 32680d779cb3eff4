import Glibc

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
}

import Glibc
import Synchronization

/// Signals that are waited for instead of handled.
public enum Signals {
    public static let terminate = SIGTERM
    public static let interrupt = SIGINT
    /// The terminal was closed, or the configuration is to be read again.
    public static let hangUp = SIGHUP

    /// Blocks signals in this thread and in all threads that it starts; call it before the first
    /// thread.
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

    /// Waits for one of `signals`, even if there are other threads already.
    ///
    /// An asynchronous program cannot block signals in all threads: its main thread waits inside
    /// Swift's runtime with none blocked. So the signals are handled, and the handler writes their
    /// number to a pipe, which is all that a handler may do (signal-safety(7)).
    public static func next(of signals: [Int32]) async throws(SystemError) -> Int32 {
        let pipe = try Pipe()
        arrivals.store(pipe.writing, ordering: .sequentiallyConsistent)
        for number in signals {
            signal(number) { number in
                let byte = UInt8(truncatingIfNeeded: number)
                unsafe withUnsafePointer(to: byte) { byte in
                    let pipe = Signals.arrivals.load(ordering: .sequentiallyConsistent)
                    _ = unsafe write(pipe, byte, 1)
                }
            }
        }
        let arrived: Result<Int32, SystemError> = await withCheckedContinuation { continuation in
            do throws(SystemError) {
                try WorkerThread.start {
                    continuation.resume(returning: .success(Int32(pipe.nextByte())))
                }
            } catch {
                continuation.resume(returning: .failure(error))
            }
        }
        // After the first signal, a second one ends the program at once.
        for number in signals { signal(number, SIG_DFL) }
        return try arrived.get()
    }

    /// The pipe that the handler writes to.
    private static let arrivals = Atomic<Int32>(-1)

    /// Two ends that stay open until the program ends.
    private struct Pipe: Sendable {
        let reading: Int32
        let writing: Int32

        init() throws(SystemError) {
            var ends: [Int32] = [-1, -1]
            guard unsafe pipe(&ends) == 0 else { throw SystemError("pipe", "signals") }
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            (reading, writing) = (ends[0], ends[1])
        }

        func nextByte() -> UInt8 {
            var byte: UInt8 = 0
            while unsafe read(reading, &byte, 1) != 1 {}
            return byte
        }
    }

    /// Sends a signal to this process.
    public static func sendSelf(_ signal: Int32) { kill(getpid(), signal) }

    /// Makes a write to a closed pipe an error instead of the end of the program.
    public static func ignoreBrokenPipes() { signal(SIGPIPE, SIG_IGN) }

    private static func set(of signals: [Int32]) -> sigset_t {
        var set = sigset_t()
        unsafe sigemptyset(&set)
        for signal in signals { unsafe sigaddset(&set, signal) }
        return set
    }
}

import Glibc

/// A value that threads change one at a time, and whose changes they can wait for.
///
/// The monitor is a mutex and a condition variable of POSIX; `Synchronization` has no condition
/// variable. The value is only touched while the mutex is held, hence `@unchecked Sendable`.
@safe public final class Monitor<Value>: @unchecked Sendable {
    public enum Waiters: Sendable { case none, one, all }

    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var value: Value

    public init(_ value: sending Value) {
        self.value = value
        unsafe pthread_mutex_init(mutex, nil)
        var attributes = pthread_condattr_t()
        unsafe pthread_condattr_init(&attributes)
        // A clock that cannot be set: a change of the time of day must not shorten or lengthen a
        // wait.
        unsafe pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        unsafe pthread_cond_init(condition, &attributes)
        unsafe pthread_condattr_destroy(&attributes)
    }

    deinit {
        unsafe pthread_cond_destroy(condition)
        unsafe pthread_mutex_destroy(mutex)
        unsafe condition.deallocate()
        unsafe mutex.deallocate()
    }

    /// Reads or changes the value.
    ///
    /// - Parameter waking: which waiting threads look at the value afterwards.
    public func withLock<Result>(
        waking waiters: Waiters = .none,
        _ body: (inout Value) -> Result
    ) -> Result {
        unsafe pthread_mutex_lock(mutex)
        defer {
            switch waiters {
            case .none: break
            case .one: unsafe pthread_cond_signal(condition)
            case .all: unsafe pthread_cond_broadcast(condition)
            }
            unsafe pthread_mutex_unlock(mutex)
        }
        return body(&value)
    }

    /// Waits until `body` returns a value, up to `milliseconds`, or without limit.
    ///
    /// - Returns: that value, or `nil` after that time.
    public func wait<Result>(
        milliseconds: Int? = nil,
        for body: (inout Value) -> Result?
    ) -> Result? {
        let deadline = milliseconds.map {
            Host.uptimeNanoseconds + UInt64(max(0, $0)) * 1_000_000
        }
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        while true {
            if let result = body(&value) { return result }
            guard let deadline else {
                unsafe pthread_cond_wait(condition, mutex)
                continue
            }
            guard Host.uptimeNanoseconds < deadline else { return nil }
            var time = timespec(
                tv_sec: Int(deadline / 1_000_000_000),
                tv_nsec: Int(deadline % 1_000_000_000)
            )
            unsafe pthread_cond_timedwait(condition, mutex, &time)
        }
    }
}

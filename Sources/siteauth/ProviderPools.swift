import FastCGI
import POSIX
import RelyingParty

/// The threads that wait for the provider, so that the threads of the sockets never do.
///
/// There are many, because an office arrives at the same time and each callback waits as long as
/// the provider takes; an idle thread costs some kilobytes.
struct ProviderPools: Sendable {
    let signIn = WorkerPool(threads: 128, maximumWaiting: 1000)
    let revalidation = WorkerPool(threads: 32, maximumWaiting: 1000)
    let doubtful = WorkerPool(threads: 4, maximumWaiting: 200)

    subscript(queue: Waiting.Queue) -> WorkerPool {
        switch queue {
        case .signIn: signIn
        case .revalidation: revalidation
        case .doubtful: doubtful
        }
    }

    func start() throws(SystemError) {
        for queue in Waiting.Queue.allCases { try self[queue].start() }
    }

    /// - Returns: whether all waiting requests were answered.
    func stop(waiting milliseconds: Int) -> Bool {
        let deadline = Host.uptimeNanoseconds + UInt64(milliseconds) * 1_000_000
        return Waiting.Queue.allCases.allSatisfy { queue in
            let now = Host.uptimeNanoseconds
            return self[queue].stop(waiting: now < deadline ? Int((deadline - now) / 1_000_000) : 0)
        }
    }
}

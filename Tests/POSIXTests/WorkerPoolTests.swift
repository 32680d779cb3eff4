import Synchronization
import Testing

@testable import POSIX

@Suite struct WorkerPoolTests {
    @Test func `a thousand jobs are done once each, by no more threads than there are`() throws {
        let pool = WorkerPool(threads: 4, maximumWaiting: 1000)
        let done = Atomic<Int>(0)
        let most = Monitor(0)
        for _ in 0..<1000 {
            #expect(
                pool.add {
                    let busy = pool.busyThreads
                    most.withLock { $0 = max($0, busy) }
                    done.add(1, ordering: .relaxed)
                }
            )
        }
        #expect(!pool.add {} && pool.waitingJobs == 1000)
        try pool.start()
        #expect(pool.stop(waiting: 60_000))
        #expect(done.load(ordering: .relaxed) == 1000 && most.withLock(\.self) <= 4)
        #expect(!pool.add {})
    }

    @Test func `the first to come is the first to be served`() throws {
        let pool = WorkerPool(threads: 1, maximumWaiting: 100)
        let order = Monitor<[Int]>([])
        for index in 0..<100 { _ = pool.add { order.withLock { $0.append(index) } } }
        try pool.start()
        #expect(pool.stop(waiting: 60_000))
        #expect(order.withLock(\.self) == Array(0..<100))
    }

    @Test func `waiting ends with the time that was given`() throws {
        let pool = WorkerPool(threads: 1, maximumWaiting: 1)
        let isOver = Monitor(false)
        _ = pool.add { _ = isOver.wait { $0 ? true : nil } }
        try pool.start()
        #expect(!pool.stop(waiting: 50))
        isOver.withLock(waking: .all) { $0 = true }
        #expect(pool.stop(waiting: 60_000))
        #expect(isOver.wait(milliseconds: 20) { $0 ? nil : true } == nil)
    }
}

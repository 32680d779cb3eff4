import POSIX
import Synchronization
import Testing

@testable import Redis

@Suite struct HostAddressesTests {
    /// getaddrinfo(3) waits for half a minute where no name server answers.
    @Test func `nobody waits for a name server longer than for Redis, and one thread at most`()
        throws
    {
        let questions = Mutex(0)
        let addresses = HostAddresses("redis.example") { _ in
            questions.withLock { $0 += 1 }
            Host.sleep(milliseconds: 30_000)
            return .success(["192.0.2.1"])
        }
        let start = ContinuousClock.now
        for _ in 0..<5 {
            #expect(throws: RedisError.self) { try addresses.current(waiting: 50) }
        }
        #expect(ContinuousClock.now - start < .seconds(15))
        #expect(questions.withLock(\.self) == 1)
    }

    @Test func `what was found stays when the name server goes`() throws {
        let isThere = Mutex(true)
        let addresses = HostAddresses("redis.example") { name in
            isThere.withLock(\.self)
                ? .success(["192.0.2.1", "192.0.2.2", "192.0.2.3", "192.0.2.4"])
                : .failure(RedisError("'\(name)' is not found"))
        }
        #expect(try addresses.current(waiting: 10_000).count == 3)
        isThere.withLock { $0 = false }
        #expect(try addresses.current(waiting: 0).first == "192.0.2.1")
    }

    @Test func `a name that is not found is looked up again`() throws {
        let isThere = Mutex(false)
        let addresses = HostAddresses("redis.example") { name in
            isThere.withLock(\.self)
                ? .success(["192.0.2.1"]) : .failure(RedisError("'\(name)' is not found"))
        }
        #expect(throws: RedisError.self) { try addresses.current(waiting: 10_000) }
        isThere.withLock { $0 = true }
        var found: [String] = []
        for _ in 0..<1000 where found.isEmpty {
            found = (try? addresses.current(waiting: 0)) ?? []
            Host.sleep(milliseconds: 20)
        }
        #expect(found == ["192.0.2.1"])
    }

    @Test(arguments: ["127.0.0.1", "::1"])
    func `a numeric address takes no name server`(address: String) throws {
        let addresses = HostAddresses(address) { _ in .failure(RedisError("asked")) }
        #expect(try addresses.current(waiting: 0) == [address])
    }

    @Test func `this machine has a name`() throws {
        let found = try HostAddresses("localhost").current(waiting: 30_000)
        #expect(!Set(found).isDisjoint(with: ["127.0.0.1", "::1"]))
    }
}

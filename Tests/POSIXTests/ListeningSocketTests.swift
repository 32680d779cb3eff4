import Fixtures
import Foundation
import Testing

@testable import POSIX

#if canImport(Glibc)
    import Glibc
#endif

@Suite struct ListeningSocketTests {
    private static func connect(_ path: String) -> Int32? {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        return result == 0 ? descriptor : nil
    }

    @Test func `a path is taken over without a moment at which nobody listens`() throws {
        try withTemporaryFolder { folder in
            let path = folder + "/s.sock"
            let old = try ListeningSocket(at: path, permissions: 0o600)
            #expect(try FileStatus(of: path).permissions == 0o600)
            let early = try #require(Self.connect(path))
            let new = try ListeningSocket(at: path)
            #expect(old.isReused && !new.isReused)
            let late = try #require(Self.connect(path))
            // Who came before still waits at the old one, and the old one leaves the path alone.
            #expect(old.hasConnections && new.hasConnections)
            old.withdraw()
            #expect(Self.connect(path) != nil)
            new.withdraw()
            #expect(Self.connect(path) == nil)
            #expect(try Folder.entries(of: folder).isEmpty)
            for descriptor in [early, late] { close(descriptor) }
        }
    }

    @Test func `variables that are meant for another process hand over nothing`() throws {
        let process = "\(Host.processID)"
        for variables in [
            [:], ["LISTEN_FDS": "1"], ["LISTEN_PID": "1", "LISTEN_FDS": "1"],
            ["LISTEN_PID": process, "LISTEN_FDS": "0"],
            ["LISTEN_PID": process, "LISTEN_FDS": "x"],
        ] {
            #expect(try ListeningSocket.activated(variables) == nil)
        }
    }

    @Test func `an interruption ends a wait for connections and no other`() throws {
        try withTemporaryFolder { folder in
            let socket = try ListeningSocket(at: folder + "/s.sock")
            let handle = WorkerThread.Handle()
            let done = DispatchSemaphore(value: 0)
            try WorkerThread.start {
                handle.run { #expect((try? socket.accept()) == .some(nil)) }
                done.signal()
            }
            // It may come before the thread waits; then it is lost.
            var attempts = 0
            repeat {
                handle.interrupt()
                attempts += 1
            } while done.wait(timeout: .now() + .milliseconds(10)) != .success && attempts < 1000
            #expect(attempts < 1000)
            // The thread is gone.
            handle.interrupt()
        }
    }
}

import Diagnostics
import POSIX
import Rules
import Synchronization

/// Checks links to other sites by HTTP requests.
public struct ExternalLinkCheck: Sendable {
    public enum Method: Sendable { case head, get }

    /// Sends one request without following redirects.
    ///
    /// The call blocks, and comes from a thread of its own.
    public typealias Ask = @Sendable (ExternalAddress, Method) -> ExternalLinkAnswer

    /// The number of requests at once, in all and to one host.
    public var jobs = 16
    public var jobsPerHost = 2
    /// After this time no further request is sent.
    public var totalSeconds = 300
    /// The cache file of working links, and the time for which its entries count.
    public var cachePath: String?
    public var cacheSeconds = 24 * 3600

    private let ask: Ask
    private let now: @Sendable () -> Int

    /// - Parameter now: seconds since 1970.
    public init(ask: @escaping Ask, now: @escaping @Sendable () -> Int) {
        self.ask = ask
        self.now = now
    }

    package func diagnostics(for links: [ExternalLink], _ progress: BuildProgress) async
        -> [Diagnostic]
    {
        var cache = ExternalLinkCache(readingFrom: cachePath)
        cache.forget(olderThan: cacheSeconds, now: now())
        // `//host/path` takes the scheme of the page, which is `https` on a published site.
        let addresses = links.map { link in
            ExternalAddress(link.url.hasPrefix("//") ? "https:" + link.url : link.url)
        }
        let wanted = Set(addresses.compactMap(\.self)).filter { !cache.knows($0) }
        let verdicts = await verdicts(on: wanted.sorted { $0.text < $1.text }, progress)
        for (address, verdict) in verdicts where verdict == .alive {
            cache.note(address, at: now())
        }
        var diagnostics = zip(links, addresses).compactMap { link, address in
            address.flatMap { verdicts[$0] }.flatMap { Diagnostic($0, link) }
        }
        let late = verdicts.values.filter { $0 == .notAsked }.count
        if late > 0 {
            let message =
                "\(late) external URLs were not checked within \(totalSeconds) s; '--total-time' sets the limit"
            let rule = Rule.unreachableExternalLink.rawValue
            diagnostics.append(Diagnostic(.warning, message, at: nil, rule: rule))
        }
        if let cachePath, !wanted.isEmpty {
            // A cache that cannot be written only costs time in the next check.
            try? File.write(Array(cache.text.utf8), to: cachePath)
        }
        return diagnostics
    }

    private func verdicts(
        on addresses: [ExternalAddress],
        _ progress: BuildProgress
    ) async -> [ExternalAddress: ExternalLinkVerdict] {
        if addresses.isEmpty { return [:] }
        let queue = ExternalLinkQueue(addresses, perHost: jobsPerHost)
        let end = now() + totalSeconds
        let verdict = progress.counting(.asking, of: addresses.count) {
            (address: ExternalAddress) in
            now() < end ? ExternalLinkRequest(address: address, ask: ask).verdict() : .notAsked
        }
        // Threads of the system, because requests block, and Swift's cooperative threads must not
        // block.
        let pieces = await withTaskGroup(of: [ExternalAddress: ExternalLinkVerdict].self) { group in
            for _ in 0..<max(1, min(jobs, addresses.count)) {
                group.addTask { await Self.work(through: queue, verdict) }
            }
            var pieces: [[ExternalAddress: ExternalLinkVerdict]] = []
            for await piece in group { pieces.append(piece) }
            return pieces
        }
        return pieces.reduce(into: [:]) { all, piece in
            all.merge(piece, uniquingKeysWith: { first, _ in first })
        }
    }

    private static func work(
        through queue: ExternalLinkQueue,
        _ verdict: @escaping @Sendable (ExternalAddress) -> ExternalLinkVerdict
    ) async -> [ExternalAddress: ExternalLinkVerdict] {
        await withCheckedContinuation { continuation in
            let run: @Sendable () -> Void = {
                var verdicts: [ExternalAddress: ExternalLinkVerdict] = [:]
                while true {
                    switch queue.next() {
                    case .address(let address):
                        verdicts[address] = verdict(address)
                        queue.finish(address)
                    case .wait: Host.sleep(milliseconds: 10)
                    case .finished:
                        continuation.resume(returning: verdicts)
                        return
                    }
                }
            }
            // If no thread can be started, the others do the work; if there are none, this one
            // does.
            do { try WorkerThread.start(run) } catch { run() }
        }
    }
}

extension Diagnostic {
    fileprivate init?(_ verdict: ExternalLinkVerdict, _ link: ExternalLink) {
        let subject = "link to '\(link.url)'"
        switch verdict {
        case .alive, .notAsked: return nil
        case .moved(let address, let status):
            let message = "\(subject) is redirected to '\(address)' (\(status))"
            self.init(.movedExternalLink, message, at: link.location)
        case .dead(let status):
            self.init(.deadExternalLink, "\(subject) answers \(status)", at: link.location)
        case .unclear(let reason):
            self.init(.unreachableExternalLink, "\(subject) \(reason)", at: link.location)
        case .privateAddress:
            let message =
                "\(subject) points to this machine or a private network and was not checked"
            let note = Diagnostic.Note("'--allow-private' checks it")
            self.init(.privateExternalLink, message, at: link.location, notes: [note])
        }
    }
}

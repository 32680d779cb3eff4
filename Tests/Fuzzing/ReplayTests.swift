import POSIX
import Testing

/// Gives each target of `Tests/Fuzzing/run` its seeds, among which is what was found once.
@Suite(.serialized) struct ReplayTests {
    @Test(arguments: FuzzTarget.all.keys.sorted())
    func `each property holds for the seeds`(target: String) throws {
        let test = try #require(FuzzTarget.all[target])
        let seeds = try seeds(of: target)
        #expect(!seeds.isEmpty, "no line '=====' in Seeds/\(target).txt")
        for seed in [[]] + seeds {
            let text = String(decoding: seed, as: UTF8.self)
            let report: @Sendable (String) -> Void = { Issue.record("\($0), for '\(text)'") }
            FuzzTarget.$report.withValue(report) { test(seed) }
        }
    }

    /// The inputs in `Seeds/<target>.txt`: separated by lines of `=====`, with `\xHH` for a byte.
    private func seeds(of target: String) throws -> [[UInt8]] {
        let folder = "\(#filePath)".split(separator: "/").dropLast().joined(separator: "/")
        let bytes = try File.read("/\(folder)/Seeds/\(target).txt")
        var seeds: [[UInt8]] = []
        for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            if line.elementsEqual("=====".utf8) {
                seeds.append([])
            } else if !seeds.isEmpty {
                seeds[seeds.count - 1] += decoded(line) + [UInt8(ascii: "\n")]
            }
        }
        // The last line ends before the next separator, and the file with an empty one.
        return seeds.enumerated().map { number, seed in
            seed.dropLast(number == seeds.count - 1 ? 2 : 1)
        }
    }

    private func decoded(_ line: ArraySlice<UInt8>) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = line
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "\\"), rest.first == UInt8(ascii: "x"),
                let value = UInt8(
                    String(decoding: rest.dropFirst().prefix(2), as: UTF8.self),
                    radix: 16
                )
            {
                bytes.append(value)
                rest = rest.dropFirst(3)
            } else {
                bytes.append(byte)
            }
        }
        return bytes
    }
}

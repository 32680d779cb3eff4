import Glibc
import POSIX

/// The program that `Tests/Fuzzing/run` runs: libFuzzer with the target that `FUZZ_TARGET` names.
///
/// Without the variable it prints the names of all targets.

@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ test: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// SwiftPM makes this function the program's entry point; libFuzzer has a `main` of its own.
@_cdecl("fuzz_main")
public func fuzzMain(
    _ count: CInt,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
) -> CInt {
    guard let name = Host.environment["FUZZ_TARGET"] else {
        for name in FuzzTarget.all.keys.sorted() { print(name) }
        return 0
    }
    guard FuzzTarget.all[name] != nil else {
        print("there is no target '\(name)'")
        return 64
    }
    // Keys and the like are made before libFuzzer looks at the clock.
    FuzzTarget.chosen([])
    var (count, arguments) = (count, arguments)
    return runDriver(&count, &arguments) { bytes, count in
        FuzzTarget.chosen(Array(UnsafeBufferPointer(start: bytes, count: count)))
        return 0
    }
}

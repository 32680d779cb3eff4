import Testing

@testable import SourceFolder

@Suite struct PageDateTests {
    @Test(arguments: [
        ("1970-01-01", 0, ""), ("2026-11-22", 1_795_305_600, ""), ("2000-02-29", 951_782_400, ""),
        ("1969-12-31", -86_400, ""), ("2026-11-22T10:30:00Z", 1_795_343_400, "T10:30:00Z"),
        ("2026-11-22 10:30:00 +0100", 1_795_339_800, "T10:30:00+01:00"),
        ("2026-11-22t10:30-01:00", 1_795_347_000, "T10:30:00-01:00"),
        ("2026-11-22T10:30:00.123Z", 1_795_343_400, "T10:30:00Z"),
        ("2026-11-22T10:30:07", 1_795_343_407, "T10:30:07Z"),
        ("2026-11-22 9:05", 1_795_338_300, "T09:05:00Z"),
        ("2026-11-22T23:59:60-00:00", 1_795_392_000, "T23:59:59Z"),
        ("2026-11-22T00:30:00+05:45", 1_795_286_700, "T00:30:00+05:45"),
    ])
    func `a moment keeps its time and its zone, and a day is one`(
        text: String,
        seconds: Int,
        time: String
    ) throws {
        let date = try PageDate.parse(text).get()
        let day = String(text.prefix(10))
        #expect(date.seconds == seconds && date.day == day && date.text == day + time)
        #expect(date.timestamp == day + (time.isEmpty ? "T00:00:00Z" : time))
    }

    @Test(arguments: [
        "", "22.11.2026", "2026-11-22x", "2026-11-22T", "2026-11-22T25:00Z", "2026-11-22T1:0",
        "2026-11-22T10:00:00+99:00", "2026-11-22T10:00:00 Europe", "+026-01-01",
    ])
    func `what is no day is refused`(text: String) {
        #expect(throws: PageDate.Mistake.self) { try PageDate.parse(text).get() }
    }
}

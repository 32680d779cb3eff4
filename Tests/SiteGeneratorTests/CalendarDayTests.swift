import Testing

@testable import SiteGenerator

@Suite struct CalendarDayTests {
    @Test(arguments: [
        ("1970-01-01", 0), ("2026-11-22", 1_795_305_600), ("2000-02-29", 951_782_400),
        ("1969-12-31", -86_400), ("2026-11-22T10:30:00Z", 1_795_343_400),
        ("2026-11-22 10:30:00 +0100", 1_795_339_800), ("2026-11-22t10:30-01:00", 1_795_347_000),
        ("2026-11-22T10:30:00.123Z", 1_795_343_400),
    ])
    func `a day is a moment`(text: String, seconds: Int) throws {
        let day = try CalendarDay.parse(text).get()
        #expect(day.seconds == seconds && day.text == String(text.prefix(10)))
    }

    @Test(arguments: [
        "", "22.11.2026", "2026-11-22x", "2026-11-22T", "2026-11-22T25:00Z", "2026-11-22T1:0",
        "2026-11-22T10:00:00+99:00", "2026-11-22T10:00:00 Europe", "+026-01-01",
    ])
    func `what is no day is refused`(text: String) {
        #expect(throws: CalendarDay.Mistake.self) { try CalendarDay.parse(text).get() }
    }
}

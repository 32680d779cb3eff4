import Synchronization

/// Reports the progress of a build; the program decides whether to show it.
public struct BuildProgress: Sendable {
    public enum Step: String, Sendable {
        case reading, resolving, highlighting, rendering, publishing
        case asking = "checking external links"
    }

    private let report: @Sendable (_ step: Step, _ done: Int, _ total: Int) -> Void

    /// - Parameter report: called from any thread, after each element of a step.
    public init(_ report: @escaping @Sendable (Step, Int, Int) -> Void = { _, _, _ in }) {
        self.report = report
    }

    /// Reports finished elements of a step whose number grows.
    package func tell(_ step: Step, _ done: Int, of total: Int) { report(step, done, total) }

    private final class Counter: Sendable {
        private let count = Atomic(0)
        func next() -> Int { count.add(1, ordering: .relaxed).newValue }
    }

    /// The same work, reporting each finished element.
    package func counting<Element, Result>(
        _ step: Step,
        of total: Int,
        _ work: @escaping @Sendable (Element) -> Result
    ) -> @Sendable (Element) -> Result {
        let counter = Counter()
        return { element in
            let result = work(element)
            report(step, counter.next(), total)
            return result
        }
    }
}

/// Finds the name that a misspelt name was meant to be.
public enum NearestName {
    /// The candidate with the fewest edits from `name`, if they are few enough for a misspelling.
    public static func of(_ name: String, in candidates: some Sequence<String>) -> String? {
        let limit = max(1, min(3, name.count / 3))
        let bytes = name.utf8.count
        let ranked = candidates.lazy
            // A Unicode scalar has four bytes at most; characters of several scalars can be missed.
            .filter { abs($0.utf8.count - bytes) <= 4 * limit }
            .map { (distance(name, $0), $0) }.filter { $0.0 <= limit }
        return ranked.min { $0 < $1 }?.1
    }

    /// The number of edits (insert, delete, replace, swap of neighbours) from one name to the other,
    /// ignoring case.
    public static func distance(_ left: String, _ right: String) -> Int {
        let a = Array(left.lowercased())
        let b = Array(right.lowercased())
        // Long names are not compared: the work grows with the product of the lengths.
        guard a.count < 64, b.count < 64 else { return max(a.count, b.count) }
        var before: [Int] = []
        var last = Array(0...b.count)
        for i in a.indices {
            var row = [i + 1]
            for j in b.indices {
                var best = min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
                    best = min(best, before[j - 1] + 1)
                }
                row.append(best)
            }
            before = last
            last = row
        }
        return last[b.count]
    }

    /// `"; did you mean 'x'?"`, or an empty string if no candidate is near.
    public static func hint(_ name: String, in candidates: some Sequence<String>) -> String {
        of(name, in: candidates).map { "; did you mean '\($0)'?" } ?? ""
    }
}

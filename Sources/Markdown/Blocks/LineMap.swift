/// Values by line number, found without hashing; empty maps take no memory.
struct LineMap<Value> {
    /// By line: the value's index in ``values`` plus one.
    private var slots: [Int32] = []
    private(set) var values: [Value] = []

    var isEmpty: Bool { values.isEmpty }

    subscript(line: Int) -> Value? {
        get {
            guard line < slots.count, slots[line] > 0 else { return nil }
            return values[Int(slots[line]) - 1]
        }
        set {
            if let newValue { set(newValue, on: line...line) }
        }
    }

    func contains(_ line: Int) -> Bool { line < slots.count && slots[line] > 0 }

    /// Sets one value for several lines, in place of that of the first.
    mutating func set(_ value: Value, on lines: ClosedRange<Int>) {
        while slots.count <= lines.upperBound { slots.append(0) }
        if slots[lines.lowerBound] == 0 {
            values.append(value)
            slots[lines.lowerBound] = Int32(values.count)
        } else {
            values[Int(slots[lines.lowerBound]) - 1] = value
        }
        for line in lines { slots[line] = slots[lines.lowerBound] }
    }
}

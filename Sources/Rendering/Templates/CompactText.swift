import Bytes

/// Style sheets and scripts without what only their authors need: every reader loads them.
enum CompactText {
    /// A style sheet without comments and without white space that means nothing.
    ///
    /// Strings and addresses stay as they are, and so does white space that separates words, or that
    /// `calc()` and selectors need.
    static func style(_ css: [UInt8]) -> [UInt8] {
        var compact: [UInt8] = []
        compact.reserveCapacity(css.count)
        var hasSpace = false
        var hasComment = false
        // Behind the last escape, whose sign is part of a name.
        var escapeEnd = 0
        var position = 0
        while position < css.count {
            let byte = css[position]
            if byte.isWhitespace {
                hasSpace = true
                position += 1
                continue
            }
            if byte == UInt8(ascii: "/"), css[position...].starts(with: "/*".utf8) {
                position = end(of: "*/", css, position + 2)
                hasComment = true
                continue
            }
            if hasSpace, let last = compact.last, !"{};,!".utf8.contains(byte),
                compact.count == escapeEnd || !"{};:,".utf8.contains(last)
            {
                compact.append(UInt8(ascii: " "))
            }
            // A comment alone separates words, but is no white space.
            if hasComment, !hasSpace, !compact.isEmpty { compact += "/**/".utf8 }
            hasSpace = false
            hasComment = false
            // '0.5' is '.5'.
            if byte == UInt8(ascii: "0"), isFraction(css[position...]), compact.count > escapeEnd,
                compact.last.map(" :,(-+".utf8.contains) ?? false
            {
                position += 1
                continue
            }
            var next = position + 1
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                while next < css.count, css[next] != byte {
                    next += css[next] == UInt8(ascii: "\\") ? 2 : 1
                }
                next = min(next + 1, css.count)
            } else if byte == UInt8(ascii: "("), !isQuoted(css[next...]),
                compact.count >= escapeEnd + 3, StyleSheetReference.isName(endOf: compact)
            {
                next = min(StyleSheetReference.end(ofURL: next, in: css) + 1, css.count)
            } else if byte == UInt8(ascii: "\\") {
                next = min(position + 2, css.count)
            } else if byte == UInt8(ascii: "}") {
                while compact.count > escapeEnd, compact.last == UInt8(ascii: ";") {
                    compact.removeLast()
                }
            }
            compact += css[position..<next]
            if byte == UInt8(ascii: "\\") { escapeEnd = compact.count }
            position = next
        }
        return compact
    }

    private static func isFraction(_ number: ArraySlice<UInt8>) -> Bool {
        let behind = number.dropFirst().prefix(2)
        return behind.first == UInt8(ascii: ".") && (48...57).contains(behind.last ?? 0)
    }

    private static func isQuoted(_ address: ArraySlice<UInt8>) -> Bool {
        let first = address.first { !$0.isWhitespace }
        return first == UInt8(ascii: "\"") || first == UInt8(ascii: "'")
    }

    private static func end(of mark: String, _ css: [UInt8], _ start: Int) -> Int {
        var position = start
        while position < css.count {
            if css[position...].starts(with: mark.utf8) { return position + mark.utf8.count }
            position += 1
        }
        return css.count
    }

    /// A script without indentation, empty lines, lines that are comments, and most other white space.
    ///
    /// One with a text or a comment of several lines stays as it is.
    static func script(_ script: [UInt8]) -> [UInt8] {
        let lines = script.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let isSimple = lines.allSatisfy { line in
            line.count { $0 == UInt8(ascii: "`") } % 2 == 0 && line.last != UInt8(ascii: "\\")
                && !isOpen(line)
        }
        guard isSimple else { return script }
        var compact: [UInt8] = []
        var isCode = false
        for line in lines {
            let words = line.drop(while: \.isWhitespace)
            if words.isEmpty || words.starts(with: "//".utf8) { continue }
            // A statement ends before '}' with and without a line's end, and never within brackets.
            if isCode, "})".utf8.contains(words.first ?? 0), compact.last == 10 {
                compact.removeLast()
            }
            if words.first == UInt8(ascii: "}") { endBlock(&compact) }
            let code = withoutSpaces(words)
            isCode = code != nil
            compact += code ?? Array(words)
            // No statement ends behind these signs because of a line's end.
            if let last = code?.last, "{(;,".utf8.contains(last) { continue }
            compact.append(10)
        }
        return compact
    }

    /// A line of a script without the spaces around signs of punctuation.
    ///
    /// - Returns: `nil` if a regular expression, a comment, an escape or another kind of string may
    ///   be in the line.
    private static func withoutSpaces(_ line: ArraySlice<UInt8>) -> [UInt8]? {
        let isSign: (UInt8) -> Bool = { "=,{}()[]?:;&|+-*<>!".utf8.contains($0) }
        var compact: [UInt8] = []
        var isString = false
        for (index, byte) in zip(line.indices, line) {
            if byte == UInt8(ascii: "\\") || !isString && "/'`".utf8.contains(byte) { return nil }
            if byte == UInt8(ascii: "\"") { isString.toggle() }
            if byte == UInt8(ascii: " "), !isString, let last = compact.last,
                let next = line[index...].first(where: { $0 != UInt8(ascii: " ") }),
                isSign(last) || isSign(next), !isJoined(last, next)
            {
                continue
            }
            if byte == UInt8(ascii: "}"), !isString { endBlock(&compact) }
            compact.append(byte)
        }
        return isString ? nil : compact
    }

    /// Leaves out the semicolon before `}`, unless it may be an empty statement, as in `if (a);`.
    private static func endBlock(_ compact: inout [UInt8]) {
        guard compact.last == UInt8(ascii: ";"), let last = compact.dropLast().last,
            !"):".utf8.contains(last), !compact.dropLast().reversed().starts(with: "esle".utf8)
        else { return }
        compact.removeLast()
    }

    /// Whether two signs are another one without the space between them: '++', '--', '->', '<!'.
    private static func isJoined(_ last: UInt8, _ next: UInt8) -> Bool {
        "+-<".utf8.contains(last) && "+->!".utf8.contains(next)
    }

    /// Whether a line has a comment that may go on in the next one.
    private static func isOpen(_ line: ArraySlice<UInt8>) -> Bool {
        var line = line.drop(while: \.isWhitespace)
        if line.starts(with: "//".utf8) { return false }
        while let slash = line.firstIndex(of: UInt8(ascii: "/")) {
            if line[slash...].starts(with: "/*".utf8) { return true }
            line = line[(slash + 1)...]
        }
        return false
    }
}

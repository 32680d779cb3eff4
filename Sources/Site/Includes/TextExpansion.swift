import Diagnostics
import Rules
import SourceFolder

/// A text in whose place the texts stand that it includes, and the values of its variables.
///
/// It is made before Markdown is read, so that a form may stand in code, and its text may begin a
/// list. What is put in is not looked at again, except for the forms of an included file itself.
struct TextExpansion<Files: IncludableTexts> {
    private(set) var text: ExpandedText
    private(set) var diagnostics: [Diagnostic] = []
    private(set) var files: Files
    /// Whether a form includes nothing, or would mean another file after one is added.
    private(set) var isOpen = false
    private let variables: TextVariables
    /// The number of files that were included, and of bytes that were read.
    private var used = (files: 0, bytes: 0)
    /// Whether a limit was reached: then nothing more is included.
    private var isStopped = false
    private var isChanged = false

    private static var maximumDepth: Int { 10 }
    private static var maximumFiles: Int { 1000 }
    private static var maximumBytes: Int { 32 << 20 }

    /// - Returns: `nil` if nothing in the text is replaced.
    init?(_ page: IncludableText, _ variables: TextVariables, _ files: Files) {
        guard FormSearch.finds(in: page.text) else { return nil }
        self.variables = variables
        self.files = files
        text = ExpandedText(maximumBytes: Self.maximumBytes + page.text.count)
        let origin = text.map.add(
            SourceMap.Origin(path: page.path, displayPath: page.displayPath)
        )
        var source = ExpandedFile(
            page,
            origin: origin,
            prefix: [],
            steps: [.init(path: page.path, part: .whole)],
            isCode: false
        )
        expand(&source, page.text.indices)
        if !isChanged, !isOpen { return nil }
    }

    /// What is done at a place of the text.
    private enum Action {
        case include(IncludeForm)
        /// The value of a variable; a line that marks a region has none.
        case put(String, end: Int)
        /// The mark is left out that says that the form is meant as it is.
        case unescape
    }

    /// Takes over some bytes of a file, with what they include.
    private mutating func expand(_ source: inout ExpandedFile, _ range: Range<Int>) {
        let bytes = source.file.text
        var search = FormSearch(upTo: range.upperBound)
        var (done, doneAt) = (range.lowerBound, source.place)
        var next = done
        while !isStopped, let place = search.place(in: bytes.span, from: next) {
            next = place + 1
            source.go(to: place)
            guard let action = action(&source, place, end: range.upperBound) else { continue }
            isChanged = true
            var end = place
            switch action {
            case .unescape:
                text.copy(done..<place - 1, of: source, from: doneAt)
            case .put(let value, let valueEnd):
                text.copy(done..<place, of: source, from: doneAt)
                text.put(value, source)
                end = valueEnd
                checkSize(source)
            case .include(let form):
                text.copy(done..<place, of: source, from: doneAt)
                include(form, &source)
                end = form.range.upperBound
                next = end
            }
            source.go(to: end)
            (done, doneAt) = (end, source.place)
            next = max(next, end)
        }
        if isStopped, source.origin > 0 { return }
        text.copy(done..<range.upperBound, of: source, from: doneAt)
        checkSize(source)
    }

    private mutating func action(
        _ source: inout ExpandedFile,
        _ place: Int,
        end: Int
    ) -> Action? {
        let bytes = source.file.text
        let lineEnd = min(source.lineEnd, end)
        let value = variables.value(in: bytes, at: place, lineEnd: lineEnd)
        let read = value == nil ? IncludeForm(bytes, at: place, lineEnd: lineEnd) : nil
        let form = read.flatMap { $0.range.upperBound <= end ? $0 : nil }
        let isSnippet = bytes[place] == Snippet.dash
        if isSnippet, form == nil {
            // A marker of a region in the page itself.
            let isMarker =
                source.container().isAlone && RegionMarker.isMarker(bytes[place..<lineEnd])
                && !source.isInCode
            return isMarker ? .put("", end: lineEnd) : nil
        }
        if value == nil, form == nil { return nil }
        switch place > 0 ? bytes[place - 1] : 0 {
        // Markdown leaves out a backslash in a text itself.
        case UInt8(ascii: "\\") where !isSnippet:
            return source.isInCode || source.isInSpan() ? .unescape : nil
        case UInt8(ascii: ";") where isSnippet: return .unescape
        default: break
        }
        if let value { return .put(value.value, end: value.end) }
        guard let form, mayReplace(form, &source) else { return nil }
        return .include(form)
    }

    private mutating func mayReplace(_ form: IncludeForm, _ source: inout ExpandedFile) -> Bool {
        let dialect = form.dialect
        if source.isInCode, !dialect.isForCode { return false }
        if dialect.isAlone, !source.container().isAlone { return false }
        if source.isInSpan() { return false }
        if dialect.path == .note {
            // A name of another file stays a link, which is checked as one.
            isOpen = true
            return form.targets.allSatisfy {
                $0.path.isEmpty || !files.paths(ofNote: $0.path, from: source.file.path).isEmpty
            }
        }
        // A block of Markdown may explain the form.
        guard source.isInDocumentCode else { return true }
        isOpen = true
        return form.targets.allSatisfy { target in
            paths(target.path, dialect, source).contains(where: files.has)
        }
    }

    /// The paths that a form may mean, those that do not leave the source folder.
    private func paths(
        _ written: String,
        _ dialect: IncludeDialect,
        _ source: ExpandedFile
    ) -> [String] {
        if dialect.path == .note {
            return written.isEmpty
                ? [source.file.path] : files.paths(ofNote: written, from: source.file.path)
        }
        let isTop = written.hasPrefix("~/") || written.hasPrefix("@/")
        let path = isTop ? String(written.dropFirst(2)) : written
        var paths: [String] = []
        for base in isTop ? [.top] : dialect.bases {
            switch base {
            case .file: paths += [SitePathName.join(path, to: source.file.path)].compactMap(\.self)
            case .top:
                guard let joined = SitePathName.join(path, to: "") else { continue }
                paths.append(joined)
                if joined.hasPrefix("\(files.folder)/"), !files.folder.isEmpty {
                    paths.append(String(joined.dropFirst(files.folder.count + 1)))
                }
            }
        }
        return paths
    }

    // MARK: Including

    private mutating func include(_ form: IncludeForm, _ source: inout ExpandedFile) {
        let place = source.place
        let written = form.range.count
        let location = text.map.location(place, in: source.origin, length: written)
        let prefix = source.prefix + source.container().prefix
        for (index, target) in form.targets.enumerated() {
            if index > 0 { text.put("\n", source) }
            do throws(IncludeRefusal) {
                try include(target, form, &source, prefix, location)
            } catch {
                isOpen = true
                diagnostics.append(
                    Diagnostic(.deadInclude, error.message, at: location, subject: target.path)
                )
            }
            if isStopped { return }
        }
    }

    private mutating func include(
        _ target: IncludeForm.Target,
        _ form: IncludeForm,
        _ source: inout ExpandedFile,
        _ prefix: [UInt8],
        _ location: SourceLocation
    ) throws(IncludeRefusal) {
        used.files += 1
        if used.files > Self.maximumFiles {
            isStopped = true
            let message = "this page includes more than \(Self.maximumFiles) texts"
            throw IncludeRefusal(message: message)
        }
        let path = try path(of: target.path, form.dialect, source, location)
        let step = ExpandedFile.Step(path: path, part: target.part)
        if source.steps.contains(step) {
            let names = (source.steps.map(\.path) + [path]).map { "'\($0)'" }
            let chain = names.joined(separator: " → ")
            throw IncludeRefusal(message: "'\(path)' includes itself: \(chain)")
        }
        if source.steps.count > Self.maximumDepth {
            let message =
                "'\(path)' would be the \(Self.maximumDepth + 1)th file inside another one"
            throw IncludeRefusal(message: message)
        }
        let file = try files.read(
            path,
            at: location,
            maximumBytes: Self.maximumBytes - used.bytes
        )
        used.bytes += file.text.count
        guard let ranges = target.part.ranges(in: file.text) else {
            throw IncludeRefusal(message: "'\(path)' does not have \(target.part.name)")
        }
        var above = location
        above.includedAt = []
        let origin = text.map.add(
            SourceMap.Origin(
                path: file.path,
                displayPath: file.displayPath,
                movesLinks: form.dialect.movesLinks,
                includedAt: [above] + location.includedAt
            )
        )
        var inner = ExpandedFile(
            file,
            origin: origin,
            prefix: prefix,
            steps: source.steps + [step],
            isCode: source.isInCode || form.fence != nil
        )
        let fence = form.fence.map { _ in Self.fence(for: file.text) }
        if let fence { text.put("\(fence)\(form.fence ?? "")\n", source, prefix: prefix) }
        for (index, range) in ranges.enumerated() {
            inner.go(to: range.lowerBound)
            let isLast = index == ranges.count - 1
            expand(&inner, isLast ? Self.trimmed(range, in: file.text) : range)
            if isStopped { break }
        }
        if let fence { text.put("\n\(fence)", source, prefix: prefix) }
    }

    private mutating func path(
        of written: String,
        _ dialect: IncludeDialect,
        _ source: ExpandedFile,
        _ location: SourceLocation
    ) throws(IncludeRefusal) -> String {
        if written.contains("://") {
            throw IncludeRefusal(message: "'\(written)' is not a file of this site")
        }
        let paths = paths(written, dialect, source)
        if dialect.path == .note || paths.count > 1 { isOpen = true }
        guard let first = paths.first else {
            let note = "only files below the source folder can be included"
            throw IncludeRefusal(message: "'\(written)' is outside of the source folder; \(note)")
        }
        let found = paths.filter(files.has)
        guard let path = found.first else {
            throw IncludeRefusal(message: files.absence(of: first))
        }
        if let other = found.first(where: { $0 != path }) {
            let message = "'\(written)' may mean '\(path)' or '\(other)'; it is read as the first"
            diagnostics.append(
                Diagnostic(.ambiguousLink, message, at: location, subject: written)
            )
        }
        return path
    }

    /// A page of a few thousand bytes would otherwise fill the memory.
    private mutating func checkSize(_ source: ExpandedFile) {
        guard text.isFull, !isStopped else { return }
        isStopped = true
        let message = "the texts that this page includes have more than 32 MB"
        let location = text.map.location(source.place, in: source.origin, length: nil)
        diagnostics.append(Diagnostic(.deadInclude, message, at: location))
    }

    private static func trimmed(_ range: Range<Int>, in text: [UInt8]) -> Range<Int> {
        var end = range.upperBound
        while end > range.lowerBound, text[end - 1] == 10 { end -= 1 }
        return range.lowerBound..<end
    }

    /// A fence that is longer than any in the text.
    private static func fence(for text: [UInt8]) -> String {
        var (longest, run) = (2, 0)
        for byte in text {
            run = byte == UInt8(ascii: "`") ? run + 1 : 0
            longest = max(longest, run)
        }
        return String(repeating: "`", count: longest + 1)
    }
}

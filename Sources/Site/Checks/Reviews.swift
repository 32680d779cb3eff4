import Diagnostics
import Rules
import SourceFolder

/// The pages that somebody has to look at again.
package enum Reviews {
    static func overdue(_ pages: [Page]) -> [Diagnostic] {
        pages.compactMap { page in
            guard page.isOverdue, let review = page.frontMatter.review else { return nil }
            let message =
                "this page was to be reviewed by \(review.day.day); owner: \(owners(of: page))"
            return Diagnostic(.reviewDue, message, at: review.location)
        }
    }

    /// One line for each published page with a day: the day, whether it has passed, the owners, and
    /// the file; the first day first.
    ///
    /// - Parameter owner: whose pages; `nil` for everybody's.
    package static func list(_ pages: [Page], owner: String?) -> String {
        let name = owner?.lowercased()
        let due = pages.filter { page in
            page.unpublishedReason == nil && page.frontMatter.review != nil
                && (name.map { name in
                    page.frontMatter.owners.contains { $0.lowercased() == name }
                } ?? true)
        }
        let width = due.map { owners(of: $0).count }.max() ?? 0
        let lines = due.map { page in
            let owners = owners(of: page)
            let space = String(repeating: " ", count: width - owners.count)
            let state = page.isOverdue ? "overdue" : "       "
            let day = page.frontMatter.review?.day.day ?? ""
            return "\(day)  \(state)  \(owners)\(space)  \(page.file.displayPath)\n"
        }
        return lines.sorted().joined()
    }

    private static func owners(of page: Page) -> String {
        let owners = page.frontMatter.owners
        return owners.isEmpty ? "nobody" : owners.joined(separator: ", ")
    }
}

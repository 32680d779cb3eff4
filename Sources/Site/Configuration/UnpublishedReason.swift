/// Why a page is not published.
public enum UnpublishedReason: Sendable, Hashable, CaseIterable {
    case draft
    /// Its `date` or `publishDate` is in the future.
    case future
    /// Its `expiryDate` has passed.
    case expired
    /// The outline does not name it, and the configuration leaves such pages out.
    case unnamed
}

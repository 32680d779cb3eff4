/// Why a document is not rendered: it would take more time or space than the limits allow.
public struct RenderLimitError: Error, Sendable, Equatable {
    public let message: String
    /// In the document, from 1.
    public let line: Int

    /// How many times its source a page's HTML may have; beyond the first megabyte.
    private static let maximumGrowth = 64

    /// - Parameters:
    ///   - count: the bytes of the page's HTML.
    ///   - source: those of its Markdown.
    static func check(html count: Int, from source: Int) throws(RenderLimitError) {
        guard count > 1_000_000 + maximumGrowth * source else { return }
        let message = "the page's HTML is more than \(maximumGrowth) times as large as its source"
        throw RenderLimitError(message: message, line: 1)
    }
}

import Markdown
import OpenSSL
import POSIX

/// What a build knows of the previous one.
///
/// The outline of a page is looked up by the digest of its source, so it cannot be out of date. A
/// file of the release is used again if the digest of its inputs is the same, and if it is still
/// the same file: the index may be older than the release, and somebody may have changed the
/// release by hand.
///
/// After a power loss a file that was never synced may have the same inode, size and time, but
/// zeros as content. So the index records whether the release was synced. If not, it records the
/// boot ID of the machine, and the files are not used after the next boot.
struct BuildIndex: Sendable {
    /// A slice, because the digests of an index are parts of its file.
    typealias Digest = ArraySlice<UInt8>

    /// The records of a page in the ``RecordLog``.
    struct PageRecords: Sendable, Hashable {
        let outline: RecordLog.Record
        /// The words of the page.
        let terms: RecordLog.Record
        /// The number of these words, counting repetitions.
        let length: Int
    }

    /// A listed file of the source folder.
    struct Source: Sendable {
        let path: String
        let kind: SourceTree.Kind
        var state: SourceState
    }

    struct PageEntry: Sendable {
        let path: String
        /// The digest of its Markdown; see ``Page/key``.
        var key: Digest
        /// The digest of what stands before its Markdown.
        let matter: Digest
        /// See ``PageContent/interface``.
        let interface: Digest
        var records: PageRecords
        /// `nil` for a page that is not published.
        var output: Output?
    }

    /// The file of a page in the release.
    struct Output: Sendable {
        var file: ReleasedFile
        /// A digest of its inputs; empty if they are not known.
        var key: Digest
        /// A digest of its inputs except the page's Markdown and the highlighting.
        let frame: Digest
        /// The range of the page's text in the file.
        var text: Range<Int>
        /// Whether a compressed copy is wanted.
        let isCompressed: Bool
        /// The addresses of its references.
        let urls: RecordLog.Record
        /// See ``Page/titleLevel``; 0 for none.
        let titleLevel: Int

        var url: Substring.UTF8View {
            file.path.utf8.dropFirst("site".utf8.count).dropLast("index.html".utf8.count)
        }

        func with(urls: RecordLog.Record) -> Output {
            Output(
                file: file,
                key: key,
                frame: frame,
                text: text,
                isCompressed: isCompressed,
                urls: urls,
                titleLevel: titleLevel
            )
        }
    }

    /// A digest of everything but the listed files that decides what the release contains.
    var site: [UInt8] = []
    /// The number of the release.
    var release = 0
    /// The seconds since 1970 between which the same pages are published.
    var days = 0..<0
    /// When the files were listed, in nanoseconds since 1970.
    var listed = 0
    var sources: [Source] = []
    var pages: [PageEntry] = []
    /// The files of the release that are no pages.
    var files: [ReleasedFile] = []
    /// The runs and stems of the search indexes, by what they were made of.
    var runs: [[UInt8]: RecordLog.Record] = [:]
    /// The pages of each search index.
    var parts: [RecordLog.Record] = []
    /// The paths of the files that name the folders of search indexes.
    var manifests: [String] = []
    var outcome = SiteBuild.Outcome(diagnostics: [])
    var isSynced = true

    init() {}

    /// The position of each published page, by its URL.
    var positions: [String: Int] {
        let published = pages.enumerated().compactMap { position, page in
            page.output.flatMap { String($0.url) }.map { ($0, position) }
        }
        return Dictionary(published, uniquingKeysWith: { first, _ in first })
    }

    /// Uses no file of the release again; outlines and words have checksums of their own.
    mutating func forgetRelease() {
        release = 0
        site = []
        for index in pages.indices { pages[index].output = nil }
    }
}

/// Looks up the entries of a ``BuildIndex``.
struct BuildIndexLookup: Sendable {
    /// By the digest of the source.
    private let records: [BuildIndex.Digest: BuildIndex.PageRecords]
    /// By path in the release.
    private let outputs: [String: BuildIndex.Output]

    init(_ index: BuildIndex) {
        records = Dictionary(
            // A page without a key had findings about its code, which only a parsed page shows.
            index.pages.filter { $0.output?.key.isEmpty != true }.map { ($0.key, $0.records) },
            uniquingKeysWith: { first, _ in first }
        )
        outputs = Dictionary(
            index.pages.compactMap { page in page.output.map { ($0.file.path, $0) } },
            uniquingKeysWith: { first, _ in first }
        )
    }

    func records(of key: [UInt8]) -> BuildIndex.PageRecords? { records[key[...]] }

    func output(_ path: String) -> BuildIndex.Output? { outputs[path] }
}

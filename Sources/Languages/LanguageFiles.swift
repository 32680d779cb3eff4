import CLanguages

/// The files of the folder `languages` of this repository, which are part of the program.
public enum LanguageFiles {
    /// The files by their language tags.
    private static let files: [String: [UInt8]] = {
        var files: [String: [UInt8]] = [:]
        var index = 0
        while let file = unsafe language_file_at(index) {
            let bytes = unsafe UnsafeBufferPointer(
                start: file.pointee.bytes,
                count: file.pointee.count
            )
            unsafe files[String(cString: file.pointee.tag)] = Array(bytes)
            index += 1
        }
        return files
    }()

    /// The language tags of the files, sorted.
    public static let tags = files.keys.sorted()

    /// The bytes of a language's file; `nil` if there is none.
    public static func bytes(_ tag: String) -> [UInt8]? { files[tag] }
}

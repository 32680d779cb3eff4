import Testing

@testable import Site

@Suite struct ImageSizeTests {
    private static let png: [UInt8] =
        [0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10, 0, 0, 0, 13] + Array("IHDR".utf8)
        + [0, 0, 1, 0, 0, 0, 0, 200]
    private static let gif = Array("GIF89a".utf8) + [44, 1, 200, 0, 0, 0]
    private static let jpeg: [UInt8] =
        [0xFF, 0xD8, 0xFF, 0xE0, 0, 6, 1, 2, 3, 4, 0xFF, 0xFF, 0xC2, 0, 17, 8]
        + [0, 100, 0, 50, 3, 0, 0]
    private static let extended =
        Array("RIFF\0\0\0\0WEBPVP8X".utf8) + [10, 0, 0, 0, 0, 0, 0, 0, 255, 1, 0, 99, 0, 0]
    private static let lossless =
        Array("RIFF\0\0\0\0WEBPVP8L".utf8) + [
            10, 0, 0, 0, 0x2F, 0x1F, 0xC0, 0x04, 0, 0, 0, 0, 0, 0,
        ]

    @Test(
        arguments: [
            (png, 256, 200), (gif, 300, 200), (jpeg, 50, 100), (extended, 512, 100),
            (lossless, 32, 20),
            (Array("<?xml version='1.0'?>\n<svg width=\"12\" height='8.6px'>".utf8), 12, 9),
            (Array("<svg\nviewBox=\"0 0 640 480\" width=\"100%\">".utf8), 640, 480),
        ] as [([UInt8], Int, Int)]
    )
    func `the size is read from the beginning of a file`(bytes: [UInt8], width: Int, height: Int) {
        let size = ImageSize(bytes)
        #expect(size?.width == width && size?.height == height)
    }

    @Test(
        arguments: [
            [], Array("GIF8".utf8), Array(png.prefix(20)), [0xFF, 0xD8, 0xFF, 0xC0, 0, 0],
            [0xFF, 0xD8] + [UInt8](repeating: 0xFF, count: 100), Array("<svg width='0'>".utf8),
            Array("<html>".utf8), Array("GIF89a".utf8) + [0, 0, 0, 0],
            [0xFF, 0xD8, 0xFF, 0xE0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
        ] as [[UInt8]]
    )
    func `what is no picture has no size and does no harm`(bytes: [UInt8]) {
        #expect(ImageSize(bytes) == nil)
    }
}

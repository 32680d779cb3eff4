import HTTPTypes

/// The static files of the pages.
enum Asset {
    static let style = "/_emulator/style.css"
    static let administration = "/_emulator/administration.js"
    static let submit = "/_emulator/submit.js"
    static let signOut = "/_emulator/sign-out.js"

    /// The file at a path, or `nil` if there is none.
    static func response(_ path: String) -> EmulatorResponse? {
        let script = "text/javascript; charset=utf-8"
        let file: ([UInt8], String)? =
            switch path {
            case style: (PackageResources.style_css, "text/css; charset=utf-8")
            case administration: (PackageResources.administration_js, script)
            case submit: (PackageResources.submit_js, script)
            case signOut: (PackageResources.sign_out_js, script)
            default: nil
            }
        return file.map { EmulatorResponse(.ok, $0.0, $0.1) }
    }
}

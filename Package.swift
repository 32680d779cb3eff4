// swift-tools-version: 6.2
import PackageDescription

// The layers, lowest first: a target depends on targets of lower layers. Some also depend on a
// neighbour in their own layer; site/handbook/project/architecture.md names them.

let strict: [SwiftSetting] = [
    .strictMemorySafety(), .treatAllWarnings(as: .error),
    // Without it, Foundation's string functions leak in through a dependency's imports, and with
    // one of them 44 MB of Foundation.
    .enableUpcomingFeature("MemberImportVisibility"),
]

/// A C library as Debian ships it: a module map, and a shim for what Swift cannot import.
func systemLibrary(_ name: String, pkgConfig: String?, apt: String) -> Target {
    .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt([apt])])
}

func library(
    _ name: String,
    _ dependencies: [Target.Dependency] = [],
    resources: [Resource] = [],
    linkerSettings: [LinkerSetting] = []
) -> Target {
    .target(
        name: name,
        dependencies: dependencies,
        resources: resources,
        swiftSettings: strict,
        linkerSettings: linkerSettings
    )
}

/// A library that becomes part of the released programs.
///
/// Its soname is not the same on all systems of the packages, or will not be. Its module map links
/// nothing.
func staticInRelease(_ name: String) -> [LinkerSetting] {
    [
        .linkedLibrary(name, .when(configuration: .debug)),
        .linkedLibrary(":lib\(name).a", .when(configuration: .release)),
    ]
}

func program(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .executableTarget(name: name, dependencies: dependencies, swiftSettings: strict)
}

func tests(of name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = [])
    -> Target
{
    .testTarget(
        name: name + "Tests",
        dependencies: [.target(name: name)] + dependencies,
        exclude: exclude,
        swiftSettings: [.treatAllWarnings(as: .error)]
    )
}

/// What several test targets share.
func testFixtures(_ name: String) -> Target {
    .target(
        name: name,
        path: "Tests/\(name)",
        swiftSettings: [.treatAllWarnings(as: .error)]
    )
}

let argumentParser = Target.Dependency.product(
    name: "ArgumentParser",
    package: "swift-argument-parser"
)
let httpTypes = Target.Dependency.product(name: "HTTPTypes", package: "swift-http-types")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let system = Target.Dependency.product(name: "SystemPackage", package: "swift-system")
let subprocess = Target.Dependency.product(name: "Subprocess", package: "swift-subprocess")

/// The version that `make release` builds.
///
/// In C, because then the next version costs the compiler one small file.
let version: [CSetting]? = Context.environment["BUILD_VERSION"].map {
    [.define("BUILD_VERSION", to: "\"\($0)\"")]
}

let package = Package(
    name: "private-site",
    // Exact versions stand here, and Package.resolved stays out of git: it also holds the commits of
    // the repositories that it was written from, and a mirror of a package may have others.
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
        // Without its default trait it needs no Foundation.
        .package(url: "https://github.com/apple/swift-http-types", exact: "1.8.0", traits: []),
        .package(url: "https://github.com/apple/swift-system", exact: "1.8.1"),
        .package(url: "https://github.com/swiftlang/swift-subprocess", exact: "1.0.2", traits: []),
    ],
    targets: [
        // System libraries. No pkg-config where 'staticInRelease' links, or where its file has a flag that
        // SwiftPM refuses, with a warning at each build.
        systemLibrary("CCommonMark", pkgConfig: nil, apt: "libcmark-dev"),
        systemLibrary("CCurl", pkgConfig: "libcurl", apt: "libcurl4-openssl-dev"),
        systemLibrary("CDeflate", pkgConfig: "libdeflate", apt: "libdeflate-dev"),
        systemLibrary("CFastCGI", pkgConfig: "fcgi", apt: "libfcgi-dev"),
        systemLibrary("CJansson", pkgConfig: "jansson", apt: "libjansson-dev"),
        systemLibrary("CMicroHTTPD", pkgConfig: nil, apt: "libmicrohttpd-dev"),
        systemLibrary("COpenSSL", pkgConfig: "libcrypto", apt: "libssl-dev"),
        // glibc, which needs no package of its own.
        systemLibrary("CPOSIX", pkgConfig: nil, apt: "libc6-dev"),
        systemLibrary("CStemmer", pkgConfig: nil, apt: "libstemmer-dev"),
        systemLibrary("CTLS", pkgConfig: "libssl", apt: "libssl-dev"),
        systemLibrary("CUTF8Proc", pkgConfig: nil, apt: "libutf8proc-dev"),
        systemLibrary("CYAML", pkgConfig: nil, apt: "libyaml-dev"),

        // The folder 'languages' as data.
        .target(name: "CLanguages"),
        // The list of emoji of a package of Debian as data.
        .target(name: "CEmoji"),
        // The version of the build.
        .target(name: "CVersion", cSettings: version),

        // Overlays: Swift interfaces of the system libraries, and of bytes in memory
        library("Bytes"),
        library("CommonMark", ["CCommonMark"], linkerSettings: staticInRelease("cmark")),
        library("Curl", ["CCurl", httpTypes]),
        library("Deflate", ["CDeflate"]),
        library("Emoji", ["CEmoji"]),
        library("FastCGI", ["CFastCGI", "POSIX", httpTypes]),
        library("Jansson", ["CJansson"]),
        library("Languages", ["CLanguages"]),
        library("Loopback", ["CMicroHTTPD", "POSIX", httpTypes]),
        library("OpenSSL", ["COpenSSL"]),
        library("POSIX", ["CPOSIX"]),
        library("Redis", ["CTLS", "POSIX"]),
        library("Stemmer", ["CStemmer"]),
        library("UTF8Proc", ["CUTF8Proc"], linkerSettings: staticInRelease("utf8proc")),
        library("Version", ["CVersion"]),
        library("YAML", ["CYAML"]),

        // Shared libraries
        library("Access"),
        library("Diagnostics", ["Bytes"]),
        library("HTML", ["Bytes", "CommonMark"]),
        library("CodeBlocks", ["Bytes"]),
        library("Markdown", ["Bytes", "CodeBlocks", "Emoji", "HTML"]),
        library("MarkdownWriting", ["Bytes", "Diagnostics", "HTML"]),
        library("JOSE", ["Jansson", "OpenSSL"]),
        library("Settings", ["Diagnostics"]),
        library("UsageErrors", ["Diagnostics", "POSIX", argumentParser]),

        // The site, and its rendering
        library("Rules", ["Diagnostics", "HTML", "Markdown", "Settings"]),
        library(
            "SourceFolder",
            [
                "Access", "Bytes", "Diagnostics", "Jansson", "Markdown", "POSIX", "Rules",
                "Settings",
                "UTF8Proc", "YAML",
            ],
            // nginx's table of content types, by a link.
            resources: [.embedInCode("Files/types.conf")]
        ),
        library(
            "Site",
            [
                "Access", "Bytes", "CommonMark", "Deflate", "Diagnostics", "HTML", "Jansson",
                "Languages", "Markdown", "OpenSSL", "POSIX", "Rules", "Settings", "SourceFolder",
                "YAML", subprocess,
            ]
        ),
        library("Search", ["Bytes", "HTML", "POSIX", "Stemmer", "UTF8Proc"]),
        library(
            "Rendering",
            [
                "Access", "Bytes", "Diagnostics", "HTML", "Jansson", "Markdown",
                "MarkdownWriting", "OpenSSL", "POSIX", "Rules", "Search", "Site", "SourceFolder",
                subprocess, system,
            ],
            resources: [
                // The look of a site that has none of its own: the folder 'templates', by a link.
                .embedInCode("Templates/BuiltIn"),
                .embedInCode("Code/highlight.py"),
                .embedInCode("Code/draw.py"),
                .embedInCode("Code/katex.js"),
            ]
        ),
        library("Releases", ["Access", "Deflate", "Diagnostics", "POSIX"]),
        // Products
        library(
            "Import",
            [
                "Access", "Diagnostics", "HTML", "Markdown", "MarkdownWriting", "OpenSSL",
                "POSIX", "Settings",
            ]
        ),
        library(
            "SiteGenerator",
            [
                "Access", "Deflate", "Diagnostics", "HTML", "Jansson", "Markdown", "OpenSSL",
                "POSIX", "Releases", "Rendering", "Rules", "Site", "SourceFolder", "UTF8Proc",
                httpTypes,
            ],
            resources: [
                .embedInCode("Print/printed-site.css"),
                // What the handbook publishes, by links.
                .embedInCode("Scaffold/configuration.schema.json"),
                .embedInCode("Scaffold/front-matter.schema.json"),
                // What a preview adds to pages.
                .embedInCode("Preview/InPage"),
            ]
        ),
        library(
            "SiteauthConfiguration",
            ["Access", "Diagnostics", "JOSE", "OpenSSL", "Settings", httpTypes]
        ),
        library("MicrosoftGraph", ["Jansson", "SiteauthConfiguration", httpTypes]),
        library(
            "RelyingParty",
            [
                "Access", "Diagnostics", "Jansson", "JOSE", "MicrosoftGraph", "OpenSSL",
                "SiteauthConfiguration", httpTypes,
            ]
        ),
        library(
            "EntraEmulator",
            ["Diagnostics", "Jansson", "JOSE", "OpenSSL", "Settings", httpTypes],
            resources: [
                .embedInCode("Directory/default-tenants.toml"),
                .embedInCode("Pages/Assets/style.css"),
                .embedInCode("Pages/Assets/administration.js"),
                .embedInCode("Pages/Assets/submit.js"),
                .embedInCode("Pages/Assets/sign-out.js"),
            ]
        ),

        // Programs
        program(
            "sitegen",
            [
                "Curl", "Diagnostics", "Import", "Loopback", "Markdown", "POSIX", "Releases",
                "Rules",
                "Site", "SiteGenerator", "UsageErrors", "Version", argumentParser, httpTypes,
                subprocess,
            ]
        ),
        program(
            "siteauth",
            [
                "Access", "Curl", "Diagnostics", "FastCGI", "Jansson", "POSIX", "Redis",
                "RelyingParty", "SiteauthConfiguration", "UsageErrors", "Version", argumentParser,
                httpTypes, logging,
            ]
        ),
        program(
            "entra-emulator",
            [
                "Diagnostics", "EntraEmulator", "Loopback", "OpenSSL", "POSIX", "UsageErrors",
                "Version", argumentParser, httpTypes,
            ]
        ),

        // Tests
        testFixtures("Fixtures"),
        tests(of: "Access"),
        tests(of: "Bytes"),
        tests(of: "CommonMark"),
        tests(of: "Curl", [httpTypes]),
        tests(of: "Deflate", ["Fixtures"]),
        tests(of: "Diagnostics"),
        tests(of: "EntraEmulator", ["Fixtures", "Jansson", "JOSE", "OpenSSL", httpTypes]),
        tests(of: "FastCGI", ["Fixtures", "POSIX", httpTypes]),
        tests(
            of: "Import",
            ["Diagnostics", "Fixtures", "Markdown", "MarkdownWriting"],
            exclude: ["Exports"]
        ),
        tests(of: "Jansson"),
        tests(of: "JOSE", ["Jansson", "OpenSSL"]),
        tests(of: "Loopback", ["Curl", "POSIX", httpTypes]),
        tests(
            of: "Markdown",
            ["CodeBlocks", "HTML"],
            exclude: ["commonmark-0.30-examples.txt", "gfm-0.29-examples.txt"]
        ),
        tests(of: "OpenSSL", ["Fixtures"]),
        tests(of: "POSIX", ["CPOSIX", "Fixtures"]),
        tests(of: "Redis", ["Fixtures", "POSIX"]),
        tests(
            of: "RelyingParty",
            [
                "Access", "Diagnostics", "EntraEmulator", "Fixtures", "Jansson", "JOSE", "OpenSSL",
                "SiteauthConfiguration", httpTypes,
            ]
        ),
        tests(
            of: "siteauth",
            ["Diagnostics", "Fixtures", "POSIX", "Redis", "Releases", "RelyingParty", logging]
        ),
        tests(of: "Settings", ["Diagnostics"], exclude: ["toml-documents.tsv"]),
        tests(of: "UsageErrors"),
        tests(of: "Stemmer"),
        tests(of: "UTF8Proc"),
        tests(of: "YAML"),
        tests(of: "Search", exclude: ["search-words.tsv"]),
        tests(
            of: "Site",
            [
                "Access", "Diagnostics", "Fixtures", "Languages", "Markdown", "POSIX", "Rules",
                "SourceFolder",
            ]
        ),
        tests(of: "SourceFolder", ["Access", "Diagnostics"]),
        tests(of: "Releases", ["Deflate", "Fixtures", "POSIX"]),
        tests(
            of: "Rendering",
            [
                "Diagnostics", "Fixtures", "HTML", "Markdown", "OpenSSL", "POSIX", "Site",
                "SourceFolder",
            ]
        ),
        tests(
            of: "SiteGenerator",
            [
                "Access", "Deflate", "Diagnostics", "Fixtures", "Jansson", "OpenSSL", "POSIX",
                "Releases", "Rendering", "Rules", "Search", "Site", "SourceFolder", httpTypes,
            ],
            exclude: ["Sites"]
        ),
    ],
    swiftLanguageModes: [.v6]
)

// The targets of `Tests/Fuzzing/run`. Without libFuzzer, which nothing else links, a test replays their seeds.
let fuzzed: [Target.Dependency] = [
    "Access", "CommonMark", "Diagnostics", "EntraEmulator", "FastCGI", "HTML", "Import", "Jansson",
    "JOSE", "Markdown", "MarkdownWriting", "OpenSSL", "POSIX", "Redis", "RelyingParty", "Rendering",
    "Rules", "Search", "Settings", "Site", "SiteauthConfiguration", "SiteGenerator", "SourceFolder",
    httpTypes,
]
package.targets.append(
    Context.environment["FUZZING"] == "1"
        ? .executableTarget(
            name: "fuzz",
            dependencies: fuzzed,
            path: "Tests/Fuzzing",
            exclude: ["Dictionaries", "Seeds", "fuzz.py", "run", "ReplayTests.swift"],
            // Its entry point is a function, see Fuzz.swift.
            swiftSettings: [.treatAllWarnings(as: .error), .unsafeFlags(["-parse-as-library"])],
            // The linker of Debian's binutils fails at the debug information.
            linkerSettings: [.unsafeFlags(["-use-ld=lld"])]
        )
        : .testTarget(
            name: "FuzzingTests",
            dependencies: fuzzed,
            path: "Tests/Fuzzing",
            exclude: ["Dictionaries", "Seeds", "fuzz.py", "run", "Fuzz.swift"],
            swiftSettings: [.treatAllWarnings(as: .error)]
        )
)

// `make unit TESTS_OF=Search` compiles what the tests of one target need, and nothing else.
if let name = Context.environment["TESTS_OF"] {
    let targets = Dictionary(uniqueKeysWithValues: package.targets.map { ($0.name, $0) })
    func reached(from name: String) -> Set<String> {
        let names = (targets[name]?.dependencies ?? []).compactMap { dependency -> String? in
            switch dependency {
            case .targetItem(let name, _), .byNameItem(let name, _): name
            default: nil
            }
        }
        return names.reduce(into: [name]) { $0.formUnion(reached(from: $1)) }
    }
    let kept = reached(from: name + "Tests")
    package.targets.removeAll { !kept.contains($0.name) }
}

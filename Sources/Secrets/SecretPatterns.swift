import OpenSSL

/// Patterns in secrets that people invent.
enum SecretPatterns {
    /// For each key, its neighbours on keyboards, forwards and backwards, the key included.
    static let neighbours: [UInt8: [ArraySlice<UInt8>]] = {
        let rows = [
            "1234567890-=", "qwertyuiop[]", "asdfghjkl;'", "zxcvbnm,./", "qwertzuiop", "yxcvbnm",
            "azertyuiop", "qsdfghjklm", "wxcvbn", "1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p",
            "1q2w3e4r5t6y7u8i9o0p", "!@#$%^&*()",
        ]
        let both = rows.flatMap { [Array($0.utf8), Array($0.utf8.reversed())] }
        return Dictionary(grouping: both.flatMap { row in row.indices.map { row[$0...] } }) {
            $0.first ?? 0
        }
    }()

    /// The letters that digits and signs stand for.
    static let letters: [UInt8: UInt8] = [
        UInt8(ascii: "0"): UInt8(ascii: "o"), UInt8(ascii: "1"): UInt8(ascii: "i"),
        UInt8(ascii: "3"): UInt8(ascii: "e"), UInt8(ascii: "4"): UInt8(ascii: "a"),
        UInt8(ascii: "5"): UInt8(ascii: "s"), UInt8(ascii: "7"): UInt8(ascii: "t"),
        UInt8(ascii: "@"): UInt8(ascii: "a"), UInt8(ascii: "$"): UInt8(ascii: "s"),
    ]

    /// Words of placeholders and the commonest English words, by their first letters.
    static let commonWords: [UInt8: [[UInt8]]] = Dictionary(grouping: words) { $0[0] }

    static let longestWord = words.map(\.count).max() ?? 0

    /// Published digits: those of π and e.
    static let constants: [[UInt8]] = [
        """
        3141592653589793238462643383279502884197169399375105820974944592307816406286208998628034\
        825342117067982148086513282306647093844609550582231725359408128481117450284102701938\
        5211055596446229489549303819644288109756659334461284756482337867831652712019091456485
        """,
        """
        2718281828459045235360287471352662497757247093699959574966967627724076630353547594571382\
        178525166427427466391932003059921817413596629043572900334295260595630738132328627943
        """,
    ].map { Array($0.utf8) }

    /// Whether the bytes are the digest of a common word, of a word and a line break as `echo`
    /// prints it, or of an empty text.
    static func isDigestOfWord(_ bytes: [UInt8]) -> Bool {
        let digest: ([UInt8]) -> [UInt8]
        switch bytes.count {
        case 20: digest = Digest.sha1
        case 32: digest = Digest.sha256
        case 48: digest = Digest.sha384
        default: return false
        }
        let numbers = ["", "1234", "12345", "123456", "12345678", "123456789", "1234567890"]
        return (numbers.map { Array($0.utf8) } + words).contains { word in
            digest(word) == bytes || digest(word + [10]) == bytes
        }
    }

    private static let words: [[UInt8]] =
        """
        the and for you your our this that with from have not are was will very more most one two \
        three long some any all who what when here there make made must should please need only \
        secret secrets password passwort passphrase passwd pass word cookie cookies session token \
        key keys random string text value values example sample demo test testing default change \
        changeme changeit replace enter insert output generate generated generator openssl base64 \
        hex rand site siteauth auth oauth oidc entra azure microsoft streamlit server client app \
        application company organisation organization internal private public intern handbook wiki \
        docs documentation web website page pages admin administrator user users login logon sign \
        signin root local localhost host domain com org net www http https production prod staging \
        develop development dev devel secure security safe super ultra mega strong great good \
        hello world welcome letmein dragon monkey master love god king qwerty abc characters \
        character bytes letters least minimum new old first second last nobody knows know guess \
        never can could easy hard really dummy foo bar baz lorem ipsum dolor sit amet
        """
        .split(separator: " ").map { Array($0.utf8) }
}

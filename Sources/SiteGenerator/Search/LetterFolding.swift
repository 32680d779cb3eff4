/// Folds letters as the search compares them: lower case, without accents, `ß` as `ss`.
///
/// Browsers use `toLowerCase` and `normalize("NFKD")` in `search-words.js`. This is the same for
/// scripts with accents; Swift's standard library has no public NFKD.
struct LetterFolding: Sendable {
    enum Kind: UInt8 {
        /// Ends a word.
        case none
        case lower, upper, digit
        /// A letter without case, or a sign that belongs to the letter before it.
        case letter
        /// A combining accent or a soft hyphen, which is ignored.
        case dropped
        /// A character of a script without spaces between words.
        case ideograph
    }

    static let latinToCyrillic = LetterFolding()

    private var folded: [UInt32: [UInt8]] = [:]
    /// Letters below this are looked up once, because Swift's Unicode properties are slow.
    private static let known: UInt32 = 0x530
    private var kinds: [Kind] = []

    private init() {
        for line in Self.table.split(separator: "\n") {
            let parts = line.split(separator: " ")
            for letter in parts[1].unicodeScalars { folded[letter.value] = Array(parts[0].utf8) }
        }
        for value in 0..<Self.known {
            let scalar = Unicode.Scalar(value) ?? "\u{0}"
            kinds.append(Self.kind(asking: scalar))
            guard value >= 0x80, folded[value] == nil else { continue }
            folded[value] = fold(asking: scalar)
        }
    }

    func kind(of scalar: Unicode.Scalar) -> Kind {
        scalar.value < Self.known ? kinds[Int(scalar.value)] : Self.kind(asking: scalar)
    }

    func append(_ scalar: Unicode.Scalar, to bytes: inout [UInt8]) {
        if let known = folded[scalar.value] {
            bytes += known
        } else if scalar.value < Self.known {
            bytes += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
        } else {
            bytes += fold(asking: scalar)
        }
    }

    private func fold(asking scalar: Unicode.Scalar) -> [UInt8] {
        // Full-width forms of ASCII.
        if (0xFF10...0xFF5A).contains(scalar.value) {
            let narrow = UInt8(scalar.value - 0xFEE0)
            return [(65...90).contains(narrow) ? narrow | 0x20 : narrow]
        }
        return scalar.properties.lowercaseMapping.unicodeScalars.flatMap { lower in
            folded[lower.value] ?? (Self.isDropped(lower) ? [] : Array(String(lower).utf8))
        }
    }

    private static func isDropped(_ scalar: Unicode.Scalar) -> Bool {
        (0x300...0x36F).contains(scalar.value) || scalar.value == 0xAD
    }

    private static func kind(asking scalar: Unicode.Scalar) -> Kind {
        if isDropped(scalar) { return .dropped }
        if isIdeograph(scalar.value) { return .ideograph }
        return switch scalar.properties.generalCategory {
        case .lowercaseLetter: .lower
        case .uppercaseLetter: .upper
        case .decimalNumber: .digit
        case .nonspacingMark, .spacingMark, .enclosingMark: .letter
        default: scalar.properties.isAlphabetic ? .letter : .none
        }
    }

    /// Han, Hiragana, Katakana and Hangul.
    private static func isIdeograph(_ value: UInt32) -> Bool {
        switch value {
        case ..<0x3005: false
        case 0x3005...0x3007, 0x3040...0x30FF, 0x31F0...0x31FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
            0xAC00...0xD7A3, 0xF900...0xFAFF, 0x20000...0x3134F:
            true
        default: false
        }
    }

    private static let table = """
        a ªàáâãäåāăąǎǟǡǻȁȃȧḁạảấầẩẫậắằẳẵặ
        ae æǣǽ
        b ḃḅḇ
        c çćĉċčḉ
        d ðďđḋḍḏḑḓ
        dz ǆǳ
        e èéêëēĕėęěȅȇȩḕḗḙḛḝẹẻẽếềểễệ
        f ḟ
        ff ﬀ
        ffi ﬃ
        ffl ﬄ
        fi ﬁ
        fl ﬂ
        g ĝğġģǧǵḡ
        h ĥħȟḣḥḧḩḫẖ
        i ìíîïĩīĭįıǐȉȋḭḯỉị
        ij ĳ
        j ĵǰ
        k ķǩḱḳḵ
        l ĺļľłḷḹḻḽ
        lj ǉ
        m ḿṁṃ
        n ñńņňǹṅṇṉṋ
        nj ǌ
        o ºòóôõöøōŏőơǒǫǭǿȍȏȫȭȯȱṍṏṑṓọỏốồổỗộớờởỡợ
        oe œ
        p ṕṗ
        r ŕŗřȑȓṙṛṝṟ
        s śŝşšſșṡṣṥṧṩẛ
        ss ß
        st ﬅﬆ
        t ţťŧțṫṭṯṱẗ
        th þ
        u ùúûüũūŭůűųưǔǖǘǚǜȕȗṳṵṷṹṻụủứừửữự
        v ṽṿ
        w ŵẁẃẅẇẉẘ
        x ẋẍ
        y ýÿŷȳẏẙỳỵỷỹ
        z źżžẑẓẕ
        ʒ ǯ
        α άἀἁἂἃἄἅἆἇὰάᾀᾁᾂᾃᾄᾅᾆᾇᾰᾱᾲᾳᾴᾶᾷ
        β ϐ
        ε έϵἐἑἒἓἔἕὲέ
        η ήἠἡἢἣἤἥἦἧὴήᾐᾑᾒᾓᾔᾕᾖᾗῂῃῄῆῇ
        θ ϑ
        ι ΐίϊἰἱἲἳἴἵἶἷὶίιῐῑῒΐῖῗ
        κ ϰ
        ο όὀὁὂὃὄὅὸό
        π ϖ
        ρ ϱῤῥ
        σ ςϲ
        υ ΰϋύὐὑὒὓὔὕὖὗὺύῠῡῢΰῦῧ
        φ ϕ
        ω ώὠὡὢὣὤὥὦὧὼώᾠᾡᾢᾣᾤᾥᾦᾧῲῳῴῶῷ
        а ӑӓ
        г ѓ
        е ѐёӗ
        ж ӂӝ
        з ӟ
        и йѝӣӥ
        к ќ
        о ӧ
        у ўӯӱӳ
        ч ӵ
        ы ӹ
        э ӭ
        і ї
        ѵ ѷ
        ә ӛ
        ө ӫ
        """
}

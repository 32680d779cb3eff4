import Testing

@testable import Rendering

/// What is left out of style sheets and scripts.
@Suite struct CompactTextTests {
    @Test(arguments: [
        (
            "a  >  b , c:hover { color : red ; width: calc( 1px + 2px ) ; }\n",
            "a > b,c:hover{color :red;width:calc( 1px + 2px )}"
        ),
        ("/* x */ a /* y */ b { }", "a b{}"), ("a/**/b .c/* d */.e{}", "a/**/b .c/**/.e{}"),
        ("a { b: url( \"x)  y\" ) /* z */; c: \"  d\" }", "a{b:url( \"x)  y\" );c:\"  d\"}"),
        ("a { b: \" /* { ; } \\\" */ \" ; }", "a{b:\" /* { ; } \\\" */ \"}"),
        ("a { b: url( data:x/*y;z ) ; c: 'd }' }", "a{b:url( data:x/*y;z );c:'d }'}"),
        ("a .b :hover, a\\  b{}", "a .b :hover,a\\  b{}"),
        (
            "@media (min-width: 1px) and (hover) { a { b: c } }",
            "@media (min-width:1px) and (hover){a{b:c}}"
        ),
        ("a { --x: ; --y:  1 2 }", "a{--x:;--y:1 2}"), ("a { b: c }  /* never ends", "a{b:c}"),
        ("a{b:\"never ends", "a{b:\"never ends"), ("a{b:url(never ends", "a{b:url(never ends"),
        (
            "a { b: 0.5rem -0.5rem 0 10.5px 0; c: d(0.1, e 0.2); f: \"0.5\" }",
            "a{b:.5rem -.5rem 0 10.5px 0;c:d(.1,e .2);f:\"0.5\"}"
        ),
        ("a { b: #0.5; c: x0.5 }", "a{b:#0.5;c:x0.5}"), ("a\\", "a\\"), ("", ""),
        ("a { b: c;; ; }", "a{b:c}"),
        ("a{b:URL(/*  c)}", "a{b:URL(/*  c)}"), ("a{b:c\\;}d{e:f}", "a{b:c\\;}d{e:f}"),
        ("a\\: b{}", "a\\: b{}"),
    ])
    func `a style sheet without what means nothing`(css: String, compact: String) {
        let found = CompactText.style(Array(css.utf8))
        #expect(String(decoding: found, as: UTF8.self) == compact)
    }

    @Test(arguments: [
        ("// a /* b\n  let a = 1;\n\n  b() // c\n", "let a=1;b() // c\n"),
        ("if (a) {\n  b = c + +d;\n}\ne(\n  \" , \"\n)", "if(a){b=c+ +d}\ne(\" , \")\n"),
        ("a = /b , c/;\n}", "a = /b , c/;\n}\n"), ("a < !--b", "a< !--b\n"),
        ("{ a = b - -c !== -d; }", "{a=b- -c!==-d}\n"), ("{ while (a); }", "{while(a);}\n"),
        ("if (a) b; else ;\n}", "if(a)b;else;}\n"), ("{ a(\";}\"); b; }", "{a(\";}\");b}\n"),
        ("  /** a */\n  b", "  /** a */\n  b"), ("  a(); /* b\n  c */", "  a(); /* b\n  c */"),
        ("let a = `b\n  c`\n  d", "let a = `b\n  c`\n  d"),
        ("  let a = 'b\\\n   c'", "  let a = 'b\\\n   c'"), ("  let a = `b`", "let a = `b`\n"),
        ("", ""),
    ])
    func `a script without white space and comments that mean nothing`(
        script: String,
        compact: String
    ) {
        let found = CompactText.script(Array(script.utf8))
        #expect(String(decoding: found, as: UTF8.self) == compact)
    }
}

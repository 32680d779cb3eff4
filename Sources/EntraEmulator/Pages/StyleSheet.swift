/// How the emulator's pages look.
enum StyleSheet {
    static let css = """
        :root {
            --ink: #1b1b1b; --soft: #5e5e5e; --page: #eef1f6; --paper: #fff; --line: #d6d9e0;
            --hover: #f1f4fa; --accent: #0f5ea8; --label: #fff4ce; --label-ink: #4a3c00;
        }
        @media (prefers-color-scheme: dark) {
            :root {
                --ink: #eceef3; --soft: #b0b5c0; --page: #14161c; --paper: #1e212a; --line: #3a3f4d;
                --hover: #282c38; --accent: #7cb8f0; --label: #3a3214; --label-ink: #ffe9a6;
            }
        }
        * { box-sizing: border-box; }
        body {
            margin: 0; min-height: 100vh; background: var(--page); color: var(--ink);
            font: 100%/1.5 system-ui, "Segoe UI", Roboto, sans-serif;
        }
        .label {
            margin: 0; padding: 0.6rem 1rem; text-align: center; font-size: 0.9rem;
            background: var(--label); color: var(--label-ink);
        }
        .label strong { padding-right: 0.4rem; }
        main {
            width: calc(100% - 2rem); max-width: 27.5rem; margin: 8vh auto 2rem; padding: 2.75rem;
            background: var(--paper); box-shadow: 0 2px 6px rgb(0 0 0 / 0.2);
        }
        @media (max-width: 30rem) { main { padding: 1.5rem; margin-top: 1.5rem; } }
        .tenant { margin: 0 0 1rem; color: var(--soft); font-weight: 600; }
        h1 { margin: 0 0 0.25rem; font-size: 1.5rem; font-weight: 600; }
        .accounts { list-style: none; margin: 1rem 0; padding: 0; }
        .accounts li { border-bottom: 1px solid var(--line); }
        button { font: inherit; color: inherit; cursor: pointer; }
        .accounts button {
            display: flex; gap: 0.9rem; align-items: center; width: 100%; padding: 0.75rem 0.5rem;
            border: 0; background: none; text-align: left;
        }
        .accounts button:hover { background: var(--hover); }
        :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
        .initial {
            flex: none; width: 2.5rem; height: 2.5rem; border-radius: 50%; display: grid;
            place-items: center; border: 2px solid var(--accent); color: var(--accent);
            font-weight: 600;
        }
        .who { flex: 1; min-width: 0; }
        .person, .user-name { display: block; overflow-wrap: anywhere; }
        .user-name, .state { color: var(--soft); font-size: 0.9rem; }
        .cancel { padding: 0.4rem 1.5rem; border: 1px solid var(--line); background: var(--hover); }
        pre { white-space: pre-wrap; overflow-wrap: anywhere; color: var(--soft); font-size: 0.85rem; }

        """
}

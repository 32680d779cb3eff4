/// The pages before and after the sign-in for a device.
enum DevicePages {
    /// - Parameter problem: what was wrong with the last code.
    static func code(_ problem: String?) -> EmulatorResponse {
        let content = """
            <p>Enter the code that the program or the device shows.</p>
            \(SignInPages.problem(problem))
            <form method="post" action="\(DeviceSignIn.path)">
            <p class="fields"><label>Code
            <input name="user_code" class="code" type="text" required autofocus autocomplete="off"
            autocapitalize="characters" spellcheck="false" maxlength="16"></label></p>
            <p class="note">Never enter a code that somebody sent you: it would sign in their device \
            as you.</p>
            <p class="actions"><button class="primary">Next</button></p>
            </form>
            """
        return Page(title: "Enter code", content: content).response("")
    }

    static func done(_ application: Application, _ tenant: Tenant) -> EmulatorResponse {
        let content = """
            <p role="status">You are signed in to \
            <strong>\(Page.escape(application.name))</strong> on your device. You may close this \
            window.</p>
            """
        return Page(title: "Signed in", content: content).response(tenant.name)
    }

    static func declined(_ application: Application, _ authority: Authority) -> EmulatorResponse {
        let content = """
            <p role="status"><strong>\(Page.escape(application.name))</strong> was told that you \
            cancelled. You may close this window.</p>
            """
        return Page(title: "Cancelled", content: content).response(authority.tenant?.name ?? "")
    }
}

/// The list of accounts to sign in with, or to sign out of.
struct AccountPicker: Sendable {
    let title: String
    let detail: String
    /// Where the choice is sent.
    let action: String
    let users: [Directory.User]
    let signedIn: Set<String>
    let hasCancel: Bool

    func response(_ directory: Directory) -> EmulatorResponse {
        let tiles = users.map { user in
            let state = signedIn.contains(user.objectID) ? "Signed in" : ""
            let initial = Page.escape(String(user.name.prefix(1)))
            return """
                <li><button name="account" value="\(Page.escape(user.objectID))">\
                <span class="initial" aria-hidden="true">\(initial)</span>\
                <span class="who"><span class="person">\(Page.escape(user.name))</span>\
                <span class="user-name">\(Page.escape(user.userName))</span></span>\
                <span class="state">\(state)</span></button></li>
                """
        }
        let cancel =
            hasCancel ? "<button class=\"cancel\" name=\"cancel\" value=\"1\">Cancel</button>" : ""
        let content = """
            <p>\(Page.escape(detail))</p>
            <form method="post" action="\(Page.escape(action))">
            <ul class="accounts">
            \(tiles.joined(separator: "\n"))
            </ul>
            \(cancel)
            </form>
            """
        return Page(title: title, content: content).response(directory)
    }
}

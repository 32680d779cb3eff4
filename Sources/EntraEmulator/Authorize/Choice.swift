/// What somebody has chosen on the pages so far; each page carries it on to the next.
struct Choice: Sendable {
    /// The object id of an account.
    var account: String?
    /// What was typed instead.
    var userName: String?
    var password: String?
    /// Whether the second factor was approved.
    var isApproved = false
    /// Whether the permissions were accepted.
    var hasConsented = false
    var isCancelled = false
    /// Whether the device is theirs that waits for the sign-in.
    var hasConfirmed = false
    /// Whether the form for an account that is not listed is wanted.
    var wantsOther = false

    init() {}

    init(_ form: QueryItems) {
        account = form["account"]
        userName = form["user_name"]
        password = form["password"]
        isApproved = form["approved"] != nil
        hasConsented = form["consent"] == "accept"
        hasConfirmed = form["confirmed"] != nil
        isCancelled = form["cancel"] != nil
        wantsOther = form["other"] != nil
    }

    /// For the hidden fields of the next page.
    func fields(for account: Account) -> [(String, String)] {
        var fields = [("account", account.id)]
        if let password { fields.append(("password", password)) }
        if isApproved { fields.append(("approved", "1")) }
        if hasConsented { fields.append(("consent", "accept")) }
        return fields
    }
}

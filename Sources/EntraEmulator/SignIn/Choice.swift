/// The choices made on the pages so far; each page passes them on to the next.
struct Choice: Sendable {
    /// The object id of an account.
    var account: String?
    /// The user name that was typed instead.
    var userName: String?
    var password: String?
    /// Whether the second factor was approved.
    var isApproved = false
    /// Whether the permissions were accepted.
    var hasConsented = false
    var isCancelled = false
    /// Whether the person has confirmed that the waiting device is theirs.
    var hasConfirmed = false
    /// Whether the person asked for the form for another account.
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

    /// The hidden fields of the next page.
    func fields(for account: Account) -> [(String, String)] {
        var fields = [("account", account.id)]
        if let password { fields.append(("password", password)) }
        if isApproved { fields.append(("approved", "1")) }
        if hasConsented { fields.append(("consent", "accept")) }
        return fields
    }
}

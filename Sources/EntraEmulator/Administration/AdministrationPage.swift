/// The page on which people switch faults.
struct AdministrationPage: Sendable {
    let emulator: Emulator

    /// - Parameter problem: why the last command was not carried out.
    func response(_ problem: String?) -> EmulatorResponse {
        let alert =
            problem.map { "<p class=\"problem\" role=\"alert\">\(Page.escape($0))</p>" } ?? ""
        let content = """
            \(alert)
            <p>Make sign-ins fail on purpose: a fault applies once, or until you switch it off. Tests \
            send the same commands as JSON; <a href="/state">state</a> shows the settings, and \
            <a href="/events">events</a> shows what happened.</p>
            \(active)
            <input class="filter" type="search" aria-label="Show faults with these words" \
            placeholder="Show faults with these words" autocomplete="off" hidden>
            \(Fault.Target.allCases.map(faults).joined(separator: "\n"))
            \(clock)
            \(keys)
            \(people)
            <form method="post" action="/reset"><p class="actions">\
            <button>Reset everything</button></p></form>
            """
        return Page(
            title: "Faults",
            content: content,
            script: Asset.administration,
            fetches: true,
            isWide: true
        ).response("")
    }

    /// What is switched on, with a button for each.
    private var active: String {
        let set = emulator.faults.all
        let items = Fault.allCases.compactMap { fault in
            set[fault].map { setting in
                """
                <li><code>\(fault.rawValue)</code> \(Self.state(setting))\
                <form method="post" action="/faults">\
                <input type="hidden" name="name" value="\(fault.rawValue)">\
                <button class="small" name="until" value="off">Switch off</button></form></li>
                """
            }
        }
        let list = items.isEmpty ? "No fault is switched on." : "<ul>\(items.joined())</ul>"
        return "<div class=\"active\" role=\"status\">\(list)</div>"
    }

    private static func state(_ setting: Faults.Setting) -> String {
        setting.isOnce ? "once" : "until switched off"
    }

    private var clock: String {
        """
        <h2>Clock</h2>
        <p>\(UniversalTime.text(emulator.now())), moved by \(emulator.clockOffset) seconds.</p>
        <form method="post" action="/clock" class="row">
        <label>Seconds to move forward<input name="advance" type="number" value="3600" required></label>
        <button class="small">Move</button>
        </form>
        """
    }

    private var keys: String {
        let options = SigningKeys.Change.allCases.map {
            "<option value=\"\($0.rawValue)\">\($0.rawValue): \(Page.escape($0.summary))</option>"
        }
        let families = SigningKeys.Family.allCases.map { "<option>\($0.rawValue)</option>" }
        return """
            <h2>Keys</h2>
            <form method="post" action="/keys" class="row">
            <label>Change<select name="change">\(options.joined())</select></label>
            <label>Of<select name="family">\(families.joined())</select></label>
            <button class="small">Change</button>
            </form>
            """
    }

    private func faults(of target: Fault.Target) -> String {
        let set = emulator.faults.all
        let rows = Fault.allCases.filter { $0.target == target }.map { fault in
            row(fault, set[fault])
        }
        return """
            <section class="faults"><h2>\(target.rawValue)</h2>
            <div class="scroll"><table><tbody>
            \(rows.joined(separator: "\n"))
            </tbody></table></div></section>
            """
    }

    private func row(_ fault: Fault, _ setting: Faults.Setting?) -> String {
        let state = setting.map(Self.state) ?? ""
        return """
            <tr><td><code>\(fault.rawValue)</code> <span class="summary">\(Page.escape(fault.summary))</span></td>\
            <td class="on">\(state)</td><td>\
            <form id="fault-\(fault.rawValue)" method="post" action="/faults" class="row">\
            <input type="hidden" name="name" value="\(fault.rawValue)">\
            \(details(fault, setting))\
            <button class="small" name="until" value="once">Once</button>\
            <button class="small" name="until" value="further-notice">On</button>\
            <button class="small" name="until" value="off">Off</button></form></td></tr>
            """
    }

    private func details(_ fault: Fault, _ setting: Faults.Setting?) -> String {
        if fault == .signInError || fault == .tokenError {
            let number = setting?.number ?? (fault == .signInError ? 53003 : 7_000_222)
            return """
                <label>AADSTS<input name="number" type="number" value="\(number)"></label>
                """
        }
        guard fault.target == .anyEndpoint else { return "" }
        let options = Endpoint.allCases.map { endpoint in
            let selected = setting?.endpoint == endpoint ? " selected" : ""
            return "<option\(selected)>\(endpoint.rawValue)</option>"
        }
        let seconds = """
            <label>Seconds<input name="seconds" type="number" min="0" max="600" \
            value="\(setting?.seconds ?? 5)"></label>
            """
        let isTimed = [Fault.slow, .throttled, .unavailable].contains(fault)
        return """
            \(isTimed ? seconds : "")<label>Endpoint<select name="endpoint">\
            <option value="">all</option>\(options.joined())</select></label>
            """
    }

    private var people: String {
        let rows = emulator.directory.accounts.map { account in
            let state = account.user.isDisabled ? "disabled" : ""
            let change = account.user.isDisabled ? "enable" : "disable"
            return """
                <tr><td dir="auto">\(Page.escape(account.user.name))</td>\
                <td dir="auto">\(Page.escape(account.tenant.name))</td>\
                <td class="on">\(state)</td><td>\
                <form id="user-\(account.id)" method="post" action="/users/\(account.id)" class="row">\
                <button class="small" name="change" value="\(change)">\(change)</button>\
                <button class="small" name="change" value="revoke-sessions">revoke sessions\
                </button></form></td></tr>
                """
        }
        return """
            <h2>People</h2>
            <div class="scroll"><table><tbody>
            \(rows.joined(separator: "\n"))
            </tbody></table></div>
            """
    }
}

/// The page outside of sign-ins, which lists the authorities.
struct WelcomePage: Sendable {
    let title: String
    let origin: Origin
    let directory: Directory

    var response: EmulatorResponse {
        let rows = directory.tenants.map { tenant in
            let policy = tenant.policies.first.map { "/\($0)" } ?? ""
            let authority = "\(origin.text)/\(tenant.id)\(policy)"
            let document = "\(authority)/v2.0/.well-known/openid-configuration"
            return """
                <tr><td dir="auto">\(Page.escape(tenant.name))</td><td>\(tenant.kind.rawValue)</td>\
                <td><a href="\(Page.escape(document))">\(Page.escape(authority))</a></td></tr>
                """
        }
        let content = """
            <p>This program emulates Microsoft Entra for tests. To sign in, open the site that uses it. \
            If a device shows you a code, <a href="\(DeviceSignIn.path)">enter the code</a>.</p>
            <div class="scroll"><table>
            <thead><tr><th>Tenant</th><th>Kind</th><th>Authority</th></tr></thead>
            <tbody>
            \(rows.joined(separator: "\n"))
            </tbody></table></div>
            """
        return Page(title: title, content: content, isWide: true).response("")
    }
}

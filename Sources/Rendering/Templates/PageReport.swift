import Access
import Site
import SourceFolder

/// Where a reader tells that a page is wrong, with the page's address and the day of its last change
/// filled in.
///
/// A mail to the page's owner, the issues of the repository that `edit_url` names, or the site's
/// `contact`, in this order.
enum PageReport {
    static func url(_ page: Page, _ configuration: SiteConfiguration) -> String? {
        func query(_ title: String, _ body: String) -> String {
            let question = configuration.texts["Is this page right?"]
            let address = (configuration.baseURL ?? "") + SitePathName.encode(page.url)
            let text = [address, page.updated?.text].compactMap(\.self).joined(separator: "\n")
            return "?\(title)=\(PercentEncoding.encode("\(page.title): \(question)"))"
                + "&\(body)=\(PercentEncoding.encode(text))"
        }
        func mail(_ address: String) -> String {
            let parts = address.split(separator: "@").map { PercentEncoding.encode(String($0)) }
            return "mailto:" + parts.joined(separator: "@") + query("subject", "body")
        }
        let owners = page.frontMatter.owners.lazy.compactMap(SiteConfiguration.mailAddress)
        if let owner = owners.first { return mail(owner) }
        if let form = configuration.editURL.flatMap(issueForm) {
            return form.url + query(form.title, form.body)
        }
        guard let contact = configuration.contact else { return nil }
        return SiteConfiguration.isMailAddress(contact) ? mail(contact) : contact
    }

    /// What stands before the branch in the address of a file, and the form for a new issue there.
    private static let forges = [
        ("/-/edit/", "/-/issues/new", "issue%5Btitle%5D", "issue%5Bdescription%5D"),  // GitLab
        ("/-/blob/", "/-/issues/new", "issue%5Btitle%5D", "issue%5Bdescription%5D"),
        ("/_edit/", "/issues/new", "title", "body"),  // Gitea, Forgejo
        ("/edit/", "/issues/new", "title", "body"),  // GitHub
        ("/blob/", "/issues/new", "title", "body"),
    ]

    private static func issueForm(
        _ editURL: String
    ) -> (url: String, title: String, body: String)? {
        for (mark, form, title, body) in forges {
            guard let range = editURL.firstRange(of: mark) else { continue }
            // 'https://host/owner/repository', and a branch before the file.
            let repository = editURL[..<range.lowerBound]
            guard repository.split(separator: "/").count >= 4,
                !editURL[range.upperBound...].hasPrefix("{path}")
            else { return nil }
            return (repository + form, title, body)
        }
        return nil
    }
}

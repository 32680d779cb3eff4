import Site

extension Redirects {
    /// The redirect pages, each for exactly the readers of its target.
    package func files(_ access: PageAccess) -> [GeneratedFile] {
        all.map { redirect in
            GeneratedFile(
                url: redirect.url,
                readers: access.audience(of: redirect.target.url),
                name: "alias '\(redirect.url)'",
                location: redirect.location,
                .redirect(to: redirect.target.url)
            )
        }
    }
}

import Access
import HTTPTypes
import Jansson
import Rendering
import Site
import SourceFolder

/// Answers a request as the published site would answer this reader.
///
/// The answer depends on the arguments only, and on the files of one site.
struct PreviewResponder: Sendable {
    /// With ``Viewer/everything``, the author chooses in a menu.
    let reader: Viewer
    /// What a browser must have to be answered; `nil` if only this machine can reach the preview.
    var key: PreviewKey?

    /// - Parameter waits: whether the caller asks again if a page has changed since the site was read.
    /// - Throws: then.
    func respond(
        to request: HTTPRequest,
        _ state: PreviewState,
        waits: Bool = false
    ) async throws -> PreviewAnswer {
        guard let authority = request.authority.flatMap(LoopbackAuthority.init) else {
            let names = "'localhost', '127.0.0.1' or '[::1]'"
            return PreviewAnswer(
                .misdirectedRequest,
                text: "The preview does not answer to this host name; use \(names)."
            )
        }
        let refusal =
            Self.isFromOtherSite(request)
            ? PreviewAnswer(
                .forbidden,
                text: "The preview does not answer requests from other sites."
            )
            : key?.refusal(of: request, at: authority)
        var answer: PreviewAnswer
        if let refusal {
            answer = refusal
        } else {
            do { answer = try await self.answer(request, state, at: authority) } catch {
                if waits { throw error }
                answer = PreviewAnswer(
                    .serviceUnavailable,
                    page: LiveReload.changedPage,
                    generation: state.generation
                )
            }
        }
        let type = answer.head.headerFields[.contentType]
        for field in SecurityFields.fields(origin: authority.origin, type: type) {
            answer.head.headerFields.append(field)
        }
        return answer
    }

    /// Whether a page of another site sends the request, other than by following a link.
    ///
    /// Another port of this machine is another site, too. Browsers send `Sec-Fetch-Site` since 2023
    /// at the latest. Older browsers are stopped by `Cross-Origin-Resource-Policy`, and because no
    /// response allows other origins to read it.
    private static func isFromOtherSite(_ request: HTTPRequest) -> Bool {
        let site = request.headerFields[.secFetchSite] ?? "none"
        if site == "same-origin" || site == "none" { return false }
        return request.headerFields[.secFetchMode] != "navigate"
            || request.headerFields[.secFetchDest] != "document"
    }

    private func answer(
        _ request: HTTPRequest,
        _ state: PreviewState,
        at authority: LoopbackAuthority
    ) async throws -> PreviewAnswer {
        guard request.method == .get || request.method == .head else {
            var answer = PreviewAnswer(
                .methodNotAllowed,
                text: "The preview answers GET and HEAD requests only."
            )
            answer.head.headerFields[.allow] = "GET, HEAD"
            return answer
        }
        let target = request.path ?? ""
        let raw = target.prefix { $0 != "?" }
        let path = SitePathName.decode(raw) ?? ""
        let menu =
            reader == .everything
            ? state.site.map { site in
                let titles = site.loaded.folders.configuration.groupTitles
                return ReaderMenu(site.policy.groups, titles: titles, at: authority)
            } : nil
        if path == PreviewRoute.readers { return menu?.answer(to: request) ?? ReaderMenu.none }
        if path.hasPrefix(PreviewRoute.prefix) { return Self.ownFile(path) }
        guard let site = state.site else {
            return PreviewAnswer(
                .serviceUnavailable,
                page: LiveReload.emptyPage(errors: state.errors),
                generation: state.generation
            )
        }
        let query = target.dropFirst(raw.count)
        return try await answer(
            path,
            query: String(query),
            to: menu?.reader(of: request) ?? reader,
            site,
            state.generation
        )
    }

    private func answer(
        _ path: String,
        query: String,
        to reader: Viewer,
        _ site: PreviewSite,
        _ generation: String
    ) async throws -> PreviewAnswer {
        let frame = PreviewFrame(site, generation)
        // siteauth refuses paths that can be read in two ways.
        guard let judged = SitePath(path) else { return await frame.notFound }
        if path == PreviewRoute.me { return me(reader, site.policy) }
        if path.hasPrefix("/auth/") { return await frame.signIn(.notFound) }
        if path.hasPrefix("/_theme/") {
            // The theme of the current site: a page of the previous one is about to reload.
            let name = path.dropFirst("/_theme/".count)
            guard let bytes = try await site.file(at: Theme.folder + name) else {
                return await frame.notFound
            }
            return PreviewAnswer(.ok, bytes, type: ContentType.of(path))
        }
        switch reader.verdict(on: site.policy.audience(of: judged)) {
        case .signInRequired: return await frame.signIn(.unauthorized)
        case .forbidden: return await frame.forbidden
        case .allowed: break
        }
        if path.hasSuffix("/") {
            guard let bytes = try await site.file(at: "site\(path)index.html") else {
                return await frame.notFound
            }
            return PreviewAnswer(.ok, page: bytes, generation: generation)
        }
        if let bytes = try await site.file(at: "site\(path)") {
            let type = ContentType.of(path)
            return type == ContentType.html
                ? PreviewAnswer(.ok, page: bytes, generation: generation)
                : PreviewAnswer(.ok, bytes, type: type)
        }
        return site.hasPage(at: "\(path)/")
            ? PreviewAnswer(location: SitePathName.encode("\(path)/") + query)
            : await frame.notFound
    }

    /// The answer to the theme's script: who is signed in.
    private func me(_ reader: Viewer, _ policy: AccessPolicy) -> PreviewAnswer {
        if reader == .visitor { return PreviewAnswer(.unauthorized, [], type: ContentType.json) }
        let groups =
            if case .member(let names) = reader { names } else { policy.groups.map(\.name) }
        let text = JSON.object([
            "name": .string(reader.name), "groups": .array(groups.map(JSON.string)),
        ]).text
        return PreviewAnswer(.ok, Array(text.utf8), type: ContentType.json)
    }

    private static func ownFile(_ path: String) -> PreviewAnswer {
        switch path {
        case PreviewRoute.events: .events
        case PreviewRoute.script:
            PreviewAnswer(.ok, PackageResources.preview_js, type: ContentType.of(path))
        case PreviewRoute.styleSheet:
            PreviewAnswer(.ok, PackageResources.preview_css, type: ContentType.of(path))
        default: PreviewAnswer(.notFound, text: "There is no such file.")
        }
    }
}

extension HTTPField.Name {
    fileprivate static let secFetchSite = Self("Sec-Fetch-Site") ?? .origin
    fileprivate static let secFetchMode = Self("Sec-Fetch-Mode") ?? .origin
    fileprivate static let secFetchDest = Self("Sec-Fetch-Dest") ?? .origin
}

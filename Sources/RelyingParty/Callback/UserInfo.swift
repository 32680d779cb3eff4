import HTTPTypes
import Jansson
import SiteauthConfiguration

/// Asks a provider's UserInfo endpoint for claims that the ID token does not contain (OpenID
/// Connect Core 1.0, section 5.3).
///
/// Most providers leave everything but `sub` out of an ID token that comes with an access token
/// (section 5.4). Entra's ID token is complete, so Entra is never asked.
struct UserInfo: Sendable {
    enum Failure: Error, Sendable, CustomStringConvertible {
        /// There is no answer.
        case unreachable(String)
        case unusable(String)
        /// The answer is about another person, and must not be used (section 5.3.2).
        case otherSubject

        var description: String {
            switch self {
            case .unreachable(let reason), .unusable(let reason): "UserInfo: \(reason)"
            case .otherSubject: "UserInfo: 'sub' differs from 'sub' in the ID token"
            }
        }
    }

    let environment: Environment
    let endpoint: WebURL
    /// The access token is never parsed and never stored.
    let accessToken: String

    /// The claims about the person whom the ID token names.
    func claims(about subject: String) throws(Failure) -> JSON.Members {
        guard !accessToken.isEmpty else {
            throw .unusable("the token endpoint sent no access token")
        }
        // A line break in the token would inject a header field.
        guard accessToken.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw .unusable("the access token has characters that no access token may have")
        }
        let request = HTTPRequest(
            .get,
            endpoint,
            [.accept: "application/json", .authorization: "Bearer \(accessToken)"]
        )
        let answer: (response: HTTPResponse, body: [UInt8])
        do { answer = try environment.send(request, []) } catch { throw .unreachable("\(error)") }
        let status = answer.response.status.code
        guard status < 500 else { throw .unreachable("status \(status)") }
        guard status == 200 else { throw .unusable("status \(status)") }
        let type = answer.response.headerFields[.contentType]?.lowercased() ?? ""
        if type.hasPrefix("application/jwt") {
            throw .unusable("the answer is a signed JWT; let the provider answer in plain JSON")
        }
        guard let claims = (try? JSON(parsing: answer.body))?.members,
            let other = try? claims.text("sub")
        else { throw .unusable("the answer is not a JSON object with 'sub'") }
        guard other.utf8.elementsEqual(subject.utf8) else { throw .otherSubject }
        return claims
    }
}

extension ReaderProfile {
    /// Reads the profile from the ID token, and asks UserInfo for what is missing there.
    ///
    /// - Parameters:
    ///   - userInfo: `nil` if the provider has none.
    ///   - needsGroups: whether a group of the site is defined by groups of the provider.
    /// - Throws: if groups are missing and UserInfo fails. If only the name is missing, it stays
    ///   empty.
    init(
        _ token: IDToken,
        groupsIn claim: ClaimName,
        needsGroups: Bool,
        asking userInfo: UserInfo?
    ) throws {
        let groups = needsGroups ? try claim.texts(in: token.claims) : []
        if let userInfo, groups == nil || token.name.isEmpty {
            do {
                let more = try userInfo.claims(about: token.subject)
                // The signed ID token takes precedence over UserInfo.
                let name = token.name.isEmpty ? Self.name(in: more) ?? "" : token.name
                self.init(
                    name: DisplayText.clean(name, maximumLength: 128),
                    groups: try groups ?? claim.texts(in: more) ?? []
                )
                if groups == nil, claim.value(in: more) == nil { problem = claim.isMissing }
            } catch let failure as UserInfo.Failure {
                guard let groups else { throw failure.whileGroupsAreNeeded }
                self.init(
                    name: token.name,
                    groups: groups,
                    problem: "the reader's name is unknown: \(failure)"
                )
            }
        } else {
            self.init(name: token.name, groups: groups ?? [])
            if groups == nil { problem = claim.isMissing }
        }
    }
}

extension ClaimName {
    /// The warning about a missing claim.
    ///
    /// Many providers omit the claim for a reader without groups, so the reader is let in; but if
    /// the scope is missing, no reader ever has a group.
    fileprivate var isMissing: String {
        "claim '\(text)' is neither in the ID token nor in UserInfo's answer; check 'scope'"
    }
}

extension UserInfo.Failure {
    /// The error for a reader whose groups are needed: a failing provider says nothing about the
    /// reader, but an answer about another person is a reason to reject the sign-in.
    fileprivate var whileGroupsAreNeeded: any Error {
        switch self {
        case .unreachable: ProviderError(description)
        case .unusable: ProviderError.unusable(description)
        case .otherSubject: self
        }
    }
}

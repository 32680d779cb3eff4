import HTTPTypes
import Jansson

/// Asks a provider's UserInfo endpoint for what its ID token does not say (OpenID Connect Core 1.0,
/// section 5.3).
///
/// Most providers leave everything but `sub` out of an ID token that comes with an access token, as
/// section 5.4 has it. Entra does not, and is never asked.
struct UserInfo: Sendable {
    enum Failure: Error, Sendable, CustomStringConvertible {
        case unusable(String)
        /// The answer is about somebody else, and must not be used (section 5.3.2).
        case otherSubject

        var description: String {
            switch self {
            case .unusable(let reason): "UserInfo: \(reason)"
            case .otherSubject: "UserInfo: 'sub' differs from 'sub' in the ID token"
            }
        }
    }

    let environment: Environment
    let endpoint: WebURL
    /// Unread; it is used at once and kept nowhere.
    let accessToken: String

    /// The claims about whom the ID token names.
    func claims(about subject: String) throws(Failure) -> JSON.Members {
        guard !accessToken.isEmpty else {
            throw .unusable("the token endpoint sent no access token")
        }
        // A line end in it would begin a header field of somebody else's.
        guard accessToken.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw .unusable("the access token has characters that no access token may have")
        }
        let request = HTTPRequest(
            method: .get,
            scheme: endpoint.scheme,
            authority: endpoint.authority,
            path: endpoint.path + endpoint.query,
            headerFields: [
                .accept: "application/json", .authorization: "Bearer \(accessToken)",
            ]
        )
        let answer: (response: HTTPResponse, body: [UInt8])
        do { answer = try environment.send(request, []) } catch { throw .unusable("\(error)") }
        let status = answer.response.status.code
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
    /// Looks into the ID token, and asks UserInfo where that lacks what is needed.
    ///
    /// - Parameters:
    ///   - userInfo: `nil` where the provider has none.
    ///   - needsGroups: whether a group of the site is defined by groups of the provider.
    /// - Throws: if UserInfo cannot be asked for groups. Where it is only asked for a name, there
    ///   is none.
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
                // Of what both say, what is signed counts.
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
    /// A provider that names no group of somebody who is in none is a usual one, so this keeps nobody
    /// out; but where the scope is missing, nobody is ever in a group.
    fileprivate var isMissing: String {
        "claim '\(text)' is neither in the ID token nor in UserInfo's answer; check 'scope'"
    }
}

extension UserInfo.Failure {
    /// A provider that cannot be asked says nothing about the reader; one that speaks of somebody else
    /// is not believed at all.
    fileprivate var whileGroupsAreNeeded: any Error {
        switch self {
        case .unusable: ProviderError(description)
        case .otherSubject: self
        }
    }
}

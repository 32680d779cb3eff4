import Diagnostics
import HTTPTypes
import Jansson
import OpenSSL

/// Why a command was not carried out.
struct AdministrationCommandError: Error, Sendable {
    let status: HTTPResponse.Status
    let message: String

    static func bad(_ message: String) -> AdministrationCommandError {
        AdministrationCommandError(status: .badRequest, message: message)
    }
}

/// A change to the emulator, from a form or from JSON.
struct AdministrationCommand: Sendable {
    /// The segments of the path.
    let path: [String]
    let isForm: Bool
    private let values: [String: String]
    /// What is wrong with the body, if it is neither a form nor a JSON object.
    private let problem: String?

    init(_ request: EmulatorRequest) {
        path = request.path.split(separator: "/").map(String.init)
        let type = request.http.headerFields[.contentType] ?? ""
        isForm = type.hasPrefix("application/x-www-form-urlencoded")
        var values: [String: String] = [:]
        var problem: String?
        if isForm {
            for item in request.form.items { values[item.name] = item.value }
        } else if let members = (try? JSON(parsing: request.body))?.members {
            for name in members.names {
                switch members[name] {
                case .string(let text): values[name] = text
                case .integer(let number): values[name] = "\(number)"
                case .bool(let bool): values[name] = "\(bool)"
                default: break
                }
            }
        } else if !request.body.isEmpty {
            let isJSON = (try? JSON(parsing: request.body)) != nil
            problem = isJSON ? "the body is not a JSON object" : "the body is not JSON"
        }
        self.values = values
        self.problem = problem
    }

    func carryOut(on emulator: Emulator) throws(AdministrationCommandError) {
        if let problem { throw .bad(problem) }
        switch path.first {
        case "faults" where path.count == 1: try setFault(emulator)
        case "clock" where path.count == 1: try moveClock(emulator)
        case "keys" where path.count == 1: try changeKeys(emulator)
        case "users" where path.count == 2: try change(path[1], emulator)
        case "reset" where path.count == 1: emulator.reset()
        default:
            throw AdministrationCommandError(
                status: .notFound,
                message: "no such path; use /faults, /clock, /keys, /users/<object id> or /reset"
            )
        }
    }

    private func setFault(_ emulator: Emulator) throws(AdministrationCommandError) {
        guard let name = values["name"] else { throw .bad("'name' is missing") }
        if name == "all", values["until"] == "off" { return emulator.faults.clear() }
        let fault = try word(name, Fault.self, "fault")
        let until = values["until"] ?? "once"
        guard ["once", "further-notice", "off"].contains(until) else {
            throw .bad("'until' is '\(until)'; it must be 'once', 'further-notice' or 'off'")
        }
        if until == "off" { return emulator.faults.clear(fault) }
        var setting = Faults.Setting(isOnce: until == "once")
        if let name = values["endpoint"], !name.isEmpty {
            setting.endpoint = try word(name, Endpoint.self, "endpoint")
        }
        if let seconds = try number("seconds") {
            guard (0...600).contains(seconds) else { throw .bad("'seconds' must be 0 to 600") }
            setting.seconds = seconds
        }
        if let number = try number("number") { setting.number = number }
        if fault == .signInError || fault == .tokenError {
            guard values["number"]?.isEmpty == false else {
                throw .bad("'number' is missing; give an AADSTS number such as 50105")
            }
            guard ProtocolError.catalogued(setting.number) != nil else {
                throw .bad("'number' is \(setting.number), which the emulator does not know")
            }
        }
        emulator.faults.set(fault, setting)
    }

    private func moveClock(_ emulator: Emulator) throws(AdministrationCommandError) {
        // Enough for every lifetime. The clock's offset is within the limit, so that no sum
        // overflows.
        let limit = 400 * 86_400
        let allowed = -limit...limit
        let offset: Int
        if let by = try number("advance") {
            guard allowed.contains(by) else { throw .bad("'advance' must be within 400 days") }
            offset = emulator.clockOffset + by
        } else if let to = try number("offset") {
            offset = to
        } else {
            throw .bad("'advance' or 'offset' is missing; give a number of seconds")
        }
        guard allowed.contains(offset) else {
            throw .bad("the clock can be moved by 400 days at most")
        }
        emulator.moveClock(to: offset)
    }

    private func changeKeys(_ emulator: Emulator) throws(AdministrationCommandError) {
        guard let name = values["change"] else { throw .bad("'change' is missing") }
        let change = try word(name, SigningKeys.Change.self, "change")
        let family = try word(values["family"] ?? "public", SigningKeys.Family.self, "family")
        do { try emulator.change(change, family) } catch { throw .bad("the key could not be made") }
    }

    private func change(_ objectID: String, _ emulator: Emulator) throws(AdministrationCommandError)
    {
        guard let name = values["change"] else { throw .bad("'change' is missing") }
        let change = try word(name, UserChange.self, "change")
        let account = emulator.directory.account(objectID.lowercased())
        var value = values["value"] ?? ""
        if [.addGroup, .removeGroup].contains(change), let groups = account?.tenant.groups {
            guard let id = groups.id(named: value) else {
                let hint = NearestName.hint(value, in: groups.map(\.name))
                throw .bad("group '\(value)' is neither one of the tenant nor a GUID\(hint)")
            }
            value = id
        }
        guard change.carryOut(on: objectID.lowercased(), value, emulator) else {
            throw AdministrationCommandError(
                status: .notFound,
                message: "there is no user '\(objectID)'"
            )
        }
    }

    private func number(_ name: String) throws(AdministrationCommandError) -> Int? {
        guard let text = values[name], !text.isEmpty else { return nil }
        guard let number = Int(text) else {
            throw .bad("'\(name)' is '\(text)'; it must be a number")
        }
        return number
    }

    private func word<Word: RawRepresentable & CaseIterable>(
        _ text: String,
        _ type: Word.Type,
        _ kind: String
    ) throws(AdministrationCommandError) -> Word where Word.RawValue == String {
        if let word = Word(rawValue: text) { return word }
        let words = Word.allCases.map(\.rawValue).joined(separator: ", ")
        throw .bad("unknown \(kind) '\(text)'; use \(words)")
    }
}

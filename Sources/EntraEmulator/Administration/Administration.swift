import HTTPTypes
import Jansson
import OpenSSL

/// The administration of the emulator, for tests and people: faults, the clock, keys, accounts.
///
/// It has its own port, so that no application under test reaches it by accident.
public struct Administration: Sendable {
    let emulator: Emulator
    /// The origin of the administration.
    let origin: Origin

    public init(_ emulator: Emulator, at origin: Origin) {
        self.emulator = emulator
        self.origin = origin
    }

    public func respond(to request: EmulatorRequest) -> EmulatorResponse {
        guard let authority = request.http.authority,
            Origin(scheme: origin.scheme, authority: authority) != nil
        else { return EmulatorResponse(.misdirectedRequest) }
        if let file = Asset.response(request.path) { return file }
        switch (request.http.method, request.path) {
        case (.get, ManagedIdentityEndpoint.instanceMetadataPath),
            (.get, ManagedIdentityEndpoint.appServicePath):
            let endpoint = ManagedIdentityEndpoint(emulator: emulator)
            return FaultInjection(faults: emulator.faults, endpoint: .managedIdentity)
                .apply { endpoint.respond(to: request) }
        case (.get, "/"): return AdministrationPage(emulator: emulator).response(nil)
        case (.get, "/state"): return .json(.ok, EmulatorState(emulator: emulator).json)
        case (.get, "/events"): return .json(.ok, .array(emulator.events.all))
        case (.post, _): return change(request)
        default: return EmulatorResponse(.notFound)
        }
    }

    private func change(_ request: EmulatorRequest) -> EmulatorResponse {
        // A page of another site could also send a form here.
        guard isOurs(request) else {
            return .json(.forbidden, ["error": "the request was sent by a page of another site"])
        }
        let command = AdministrationCommand(request)
        let result: Result<Void, AdministrationCommandError>
        do throws(AdministrationCommandError) {
            try command.carryOut(on: emulator)
            result = .success(())
        } catch { result = .failure(error) }
        switch (result, command.isForm) {
        case (.success, true):
            var response = EmulatorResponse(.seeOther)
            response.http.headerFields[.location] = "/"
            return response
        case (.success, false): return .json(.ok, EmulatorState(emulator: emulator).json)
        case (.failure(let error), true):
            return AdministrationPage(emulator: emulator).response(error.message)
        case (.failure(let error), false):
            return .json(error.status, ["error": .string(error.message)])
        }
    }

    private func isOurs(_ request: EmulatorRequest) -> Bool {
        guard let sender = request.http.headerFields[.origin] else { return true }
        return Origin(sender).map { $0.port == origin.port } == true
    }
}

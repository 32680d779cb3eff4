/// What callbacks know of those before them; it outlives a change of the configuration.
struct CallbackMemory: Sendable {
    let usedStates = UsedStates()
    let inventedCodes = InventedCodes()
    let outage = Outage()
}

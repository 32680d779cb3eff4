/// What the callback remembers between requests; a reload of the configuration keeps it.
struct CallbackMemory: Sendable {
    let usedStates = ReplayCache()
    let inventedCodes = InventedCodes()
    let outage = CircuitBreaker()
}

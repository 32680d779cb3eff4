extension Gauges {
    /// The state of the Redis with the list of ended sessions.
    public struct Redis: Sendable {
        /// Whether the last question was answered.
        public var isReachable = true
        /// Whether Redis took the last entry.
        public var isWritable = true
        public var answered: UInt64 = 0
        public var failed: UInt64 = 0
        /// The duration of all answered questions.
        public var nanoseconds: UInt64 = 0

        public init() {}

        func write(to text: inout MetricsText) {
            text.add(
                "siteauth_redis_up",
                "gauge",
                "1 if Redis answered the last question about ended sessions, otherwise 0.",
                value: isReachable ? "1" : "0"
            )
            text.add(
                "siteauth_redis_writable",
                "gauge",
                "1 if Redis recorded the last ended session, otherwise 0.",
                value: isWritable ? "1" : "0"
            )
            let name = "siteauth_redis_questions_total"
            text.begin(name, "counter", "Questions to Redis, by outcome.")
            text.add(name, "outcome=\"answered\"", "\(answered)")
            text.add(name, "outcome=\"failed\"", "\(failed)")
            text.add(
                "siteauth_redis_seconds_total",
                "counter",
                "How long the answered questions took together.",
                value: MetricsText.seconds(nanoseconds: nanoseconds)
            )
        }
    }
}

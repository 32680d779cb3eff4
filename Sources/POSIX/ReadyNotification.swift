import Glibc

/// What a service says to the program that started it, such as systemd, once it can do its work
/// (sd_notify(3)).
public enum ReadyNotification {
    /// Says that this process can do its work from now on.
    ///
    /// If nobody waits for this, nothing happens.
    public static func send(_ environment: [String: String] = Host.environment) {
        guard let path = environment["NOTIFY_SOCKET"], let address = UnixSocketAddress(path) else {
            return
        }
        let kind = Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue)
        let socket = FileDescriptor(owning: socket(AF_UNIX, kind, 0))
        _ = address.send("READY=1", on: socket.number)
    }
}

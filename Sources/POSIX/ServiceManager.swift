import Glibc

/// The program that started this process and keeps it running, such as systemd.
public enum ServiceManager {
    /// Says that this process can do its work from now on (sd_notify(3)).
    ///
    /// Without a service manager that waits for this, nothing happens.
    public static func reportReady(_ environment: [String: String] = Host.environment) {
        guard let path = environment["NOTIFY_SOCKET"], let address = UnixSocketAddress(path) else {
            return
        }
        let kind = Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue)
        let socket = FileDescriptor(owning: socket(AF_UNIX, kind, 0))
        _ = address.send("READY=1", on: socket.number)
    }
}

import Glibc

/// The error of a system call.
public struct SystemError: Error, Equatable, CustomStringConvertible {
    /// The call as the manual names it, for example `open`.
    public let call: String
    public let path: String
    /// The value of `errno`.
    public let number: Int32
    /// What is wrong, where the system's words do not say it.
    private let remark: String?

    public init(_ call: String, _ path: String, number: Int32 = errno, remark: String? = nil) {
        self.call = call
        self.path = path
        self.number = number
        self.remark = remark
    }

    public var isMissingFile: Bool { number == ENOENT || number == ENOTDIR }

    public var isPermissionDenied: Bool { number == EACCES }

    /// Whether another program listens at the address.
    public var isAddressInUse: Bool { number == EADDRINUSE }

    /// Whether this machine does not have the address.
    public var isAddressMissing: Bool {
        [EADDRNOTAVAIL, EAFNOSUPPORT, EPROTONOSUPPORT].contains(number)
    }

    /// Whether the system has no more space or descriptors.
    public var isLimit: Bool { number == ENOSPC || number == EMFILE || number == ENFILE }

    public var reason: String {
        if let remark { return remark }
        // glibc's strerror is safe between threads since 2.32; the text is copied at once.
        return unsafe String(cString: strerror(number)).lowercased()
    }

    public var description: String { "'\(path)': \(reason) (\(call))" }
}

import Glibc

/// A group of accounts (group(5)).
public enum UserGroup {
    /// The number of a group, or `nil` if this machine has no group of that name.
    public static func id(of name: String) -> UInt32? {
        guard let entry = unsafe getgrnam(name) else { return nil }
        return unsafe entry.pointee.gr_gid
    }
}

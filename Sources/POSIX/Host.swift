import Glibc

/// This process and its machine, as the operating system describes them.
public enum Host {
    /// The id of this process.
    public static var processID: Int { Int(getpid()) }

    /// Seconds since 1970.
    public static var time: Int {
        var now = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &now)
        return Int(now.tv_sec)
    }

    /// The time in nanoseconds since 1970.
    public static var nanoseconds: Int {
        var now = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &now)
        return Int(now.tv_sec) &* 1_000_000_000 &+ Int(now.tv_nsec)
    }

    /// Nanoseconds of a monotonic clock, for measuring durations.
    public static var uptimeNanoseconds: UInt64 {
        var now = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &now)
        return UInt64(now.tv_sec) * 1_000_000_000 + UInt64(now.tv_nsec)
    }

    /// How many descriptors this process may have.
    public static var descriptorLimit: Int {
        var limit = rlimit()
        guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else {
            return 1024
        }
        return Int(clamping: limit.rlim_cur)
    }

    /// Raises the limit of open descriptors, if the system allows it.
    public static func raiseDescriptorLimit(to count: UInt) {
        var limit = rlimit()
        guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else {
            return
        }
        limit.rlim_cur = max(limit.rlim_cur, min(count, limit.rlim_max))
        _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }

    public static var processors: Int { max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }

    /// Whether this process may open that many more files.
    ///
    /// If the process's limit is too low and the system's limit allows more, the limit is raised.
    public static func mayOpen(_ count: Int) -> Bool {
        var limit = rlimit()
        // The lowest free number: all below it are in use, and few above it are.
        guard let next = try? FileDescriptor(opening: "/", flags: O_RDONLY).number,
            unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0
        else { return false }
        let wanted = rlim_t(Int(next) + count)
        if limit.rlim_cur >= wanted { return true }
        guard limit.rlim_max >= wanted else { return false }
        limit.rlim_cur = wanted
        return unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0
    }

    /// Lets the group of a folder into what this process makes from now on, whatever the umask.
    ///
    /// Only a folder whose new entries get its group (setgid) counts: somebody made it for that
    /// group. The group may write only if the umask allows it.
    public static func admitGroup(of folder: FileStatus) {
        guard folder.givesGroup, folder.permissions & 0o010 != 0 else { return }
        let mask = umask(0o077)
        umask(mask & 0o027)
    }

    public static var userID: UInt32 { geteuid() }

    /// The path with every link resolved, or `nil` if it leads nowhere.
    public static func realPath(_ path: String) -> String? {
        guard let real = unsafe realpath(path, nil) else { return nil }
        defer { unsafe free(real) }
        return unsafe String(cString: real)
    }

    /// The variables of the environment that are UTF-8; a repaired text would be another one.
    public static var environment: [String: String] {
        var variables: [String: String] = [:]
        var position = unsafe environ
        while let entry = unsafe position.pointee {
            if let text = unsafe String(validatingCString: entry),
                let equals = text.firstIndex(of: "=")
            {
                variables[String(text[..<equals])] = String(text[text.index(after: equals)...])
            }
            unsafe position += 1
        }
        return variables
    }

    public static func sleep(milliseconds: Int) {
        usleep(UInt32(clamping: milliseconds * 1000))
    }

    /// Ends the process without waiting for threads that are blocked.
    public static func exit(_ code: Int32) -> Never { _exit(code) }
}

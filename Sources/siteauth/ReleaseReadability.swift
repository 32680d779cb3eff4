import POSIX

/// Whether nginx and siteauth can read the release of a site of this server.
///
/// Both are members of the group of Debian's nginx, and of no group of the account that builds.
struct ReleaseReadability {
    let folder: String
    var group = "www-data"

    /// What keeps them from reading, or `nil`; a release that is not there yet is no problem here.
    var problem: String? {
        guard let id = UserGroup.id(of: group) else { return nil }
        let current = "\(folder)/current"
        let places = [
            (Folder.parent(of: folder), 1), (folder, 1), ("\(folder)/releases", 1), (current, 1),
            ("\(current)/site", 1),
        ]
        for (path, permissions) in places + [("\(current)/access", 4)] {
            guard let status = try? FileStatus(of: path),
                !status.admits(UInt32(permissions), toGroup: id)
            else { continue }
            let remedy =
                "run 'chgrp -R \(group) \(folder)', 'chmod g+xs \(folder)', "
                + "'chmod -R g+rX \(folder)/*' and 'chmod g+s \(folder)/releases'"
            return "nginx and siteauth cannot read '\(path)', because it is not for the group "
                + "'\(group)'; \(remedy)"
        }
        return nil
    }
}

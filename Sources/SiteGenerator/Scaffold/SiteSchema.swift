/// A JSON Schema with which editors check and complete what authors write.
///
/// `Packaging/json-schemas` makes them of the handbook's reference pages.
public enum SiteSchema: String, CaseIterable, Sendable {
    case frontMatter = "front-matter"
    case configuration

    public var text: String {
        switch self {
        case .frontMatter:
            String(decoding: PackageResources.front_matter_schema_json, as: UTF8.self)
        case .configuration:
            String(decoding: PackageResources.configuration_schema_json, as: UTF8.self)
        }
    }
}

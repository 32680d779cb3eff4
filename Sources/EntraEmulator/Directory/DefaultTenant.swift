/// The tenant that is there when no file is given.
///
/// Its people do not exist.
public enum DefaultTenant {
    public static let toml = """
        tenant_id = "11111111-aaaa-4000-8000-000000000001"
        domain = "example.com"
        name = "Larkspur"

        [[application]]
        name = "Larkspur Handbook"
        client_id = "22222222-bbbb-4000-8000-000000000002"
        client_secret = "emulated~secret.is-no-secret_at-all"
        # At Entra, too, the port does not count for localhost.
        redirect_uris = [
            "http://localhost:8080/auth/callback",
            "http://localhost:8080/auth/signed-out",
        ]
        optional_claims = ["sid", "login_hint"]
        group_claims = true

        [[user]]
        object_id = "a11ce000-0000-4000-8000-00000000000a"
        name = "Alice Adams"
        user_name = "alice@example.com"
        roles = ["HR"]

        [[user]]
        object_id = "b0b00000-0000-4000-8000-00000000000b"
        name = "Bob Brown"
        user_name = "bob@example.com"

        [[user]]
        object_id = "ca401000-0000-4000-8000-00000000000c"
        name = "Carol Castillo"
        user_name = "carol@example.com"
        groups = ["b0a2d000-0000-4000-8000-00000000b0a2"]

        [[user]]
        object_id = "504e4000-0000-4000-8000-00000000000d"
        name = "Søren Ødegård"
        user_name = "soren@example.com"

        [[user]]
        object_id = "e41c0000-0000-4000-8000-00000000000e"
        name = "Eric Evans"
        user_name = "eric@example.com"
        disabled = true

        """
}

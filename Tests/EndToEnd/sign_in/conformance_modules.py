"""The modules of the OpenID Foundation's relying-party plans, and how each ends here.

`site/handbook/project/conformance.md` shows this table.
"""

import dataclasses

from conformance_provider import Behaviour

# Ends of a module.
WANTED = "as wanted"
SKIPPED = "skipped"
OTHER_FLOW = "other flows only"
DIFFERENCE = "difference"
NOT_RUN = "not run"
RESULTS = [WANTED, SKIPPED, OTHER_FLOW, DIFFERENCE, NOT_RUN]

GUID = "5f2c91aa-0000-4000-8000-00000000000a"
# The suite's are 20 letters, 10 digits and 5 other characters, of which each may be a space.
SID_OF_THE_SUITE = "QwErTyUiOpAsDfGhJkLz0123456789#/@[~"
SID_WITH_A_SPACE = "QwErTyUiOpAsDfGhJkLz0123456789# @[~"


@dataclasses.dataclass(frozen=True)
class Module:
    """`name`, `plan`, `provider`, `siteauth` and `result` are a row of the page.

    `outcome` names the test that runs the module; `message` is a part of the event that refuses the reader, and `title`
    is that of the page that the reader sees.
    """

    name: str
    plan: str
    provider: str
    siteauth: str
    result: str = WANTED
    behaviour: Behaviour | None = None
    outcome: str = ""
    message: str = ""
    title: str = "Signing in did not work"


def signs_in(name, plan, provider, behaviour=Behaviour(), siteauth="signs the reader in", result=WANTED):
    return Module(f"oidcc-client-test{name}", plan, provider, siteauth, result, behaviour, "signed in")


def refuses(name, plan, provider, behaviour, message, **more):
    return Module(
        f"oidcc-client-test{name}", plan, provider, **{"siteauth": "refuses the ID token"} | more, behaviour=behaviour,
        outcome="refused", message=message,
    )


def not_run(names, plan, provider, siteauth):
    return [Module(f"oidcc-client-test{name}", plan, provider, siteauth, NOT_RUN) for name in names]


MODULES = [
    # The plan of the certification 'Basic RP'.
    signs_in("", "basic", "does everything right"),
    refuses("-invalid-iss", "basic", "sends another `iss`", Behaviour(claims={"iss": "https://example.com/"}), "'iss' is"),
    refuses("-missing-sub", "basic", "leaves `sub` out", Behaviour(claims={"sub": None}), "'sub' is missing"),
    refuses("-invalid-aud", "basic", "sends another `aud`", Behaviour(claims={"aud": "another client"}), "'aud' is"),
    refuses("-missing-iat", "basic", "leaves `iat` out", Behaviour(claims={"iat": None}), "'iat' is missing"),
    signs_in(
        "-kid-absent-single-jwks", "basic", "publishes one key for signing, and names it nowhere",
        Behaviour(keys="one without kid"),
    ),
    refuses(
        "-kid-absent-multiple-jwks", "basic", "publishes two keys for signing, and names them nowhere",
        Behaviour(keys="several without kid"), "'kid' is missing",
        siteauth="refuses the ID token; the suite also allows to try all keys",
    ),
    signs_in("-idtoken-sig-rs256", "basic", "signs with RS256"),
    refuses(
        "-idtoken-sig-none", "basic, config, dynamic", "does not sign", Behaviour(algorithm="none"), "signed with 'none'",
        siteauth="refuses the ID token; the suite allows that, and counts the module as skipped", result=SKIPPED,
    ),
    refuses(
        "-invalid-sig-rs256", "basic", "sends a wrong signature", Behaviour(is_spoilt=True), "the signature of the ID token is wrong",
    ),
    refuses(
        "-userinfo-invalid-sub", "basic", "answers at UserInfo for another `sub`",
        Behaviour(user_info={"sub": "kiminvalid"}), "'sub' differs from 'sub' in the ID token",
        siteauth="refuses the answer, and the reader whose groups it lacks",
    ),
    refuses(
        "-nonce-invalid", "basic", "sends another `nonce`", Behaviour(claims={"nonce": "invalid"}), "'nonce' does not match",
        title="Please sign in again",
    ),
    signs_in(
        "-scope-userinfo-claims", "basic", "tells at UserInfo what the scopes ask for",
        siteauth="asks for `profile` and `email`, and knows the reader's name",
    ),
    signs_in(
        "-client-secret-basic", "basic", "accepts the secret in the header field alone",
        siteauth="sends it there, with `client_auth_method = \"client_secret_basic\"`",
    ),
    # 'Config RP'.
    signs_in("-discovery-openid-config", "config, dynamic", "publishes its discovery document"),
    signs_in(
        "-discovery-jwks-uri-keys", "config, dynamic", "has another `jwks_uri` at each run",
        Behaviour(key_set_path="jwksQwErTyUiOp"), "signs the reader in, with the keys from there",
    ),
    Module(
        "oidcc-client-test-discovery-issuer-mismatch", "config, dynamic", "names another `issuer` in the document",
        "starts no sign-in", WANTED, Behaviour(document={"issuer": "https://example.com/"}), "not begun", "'issuer' is",
    ),
    Module(
        "oidcc-client-test-signing-key-rotation", "config, dynamic", "has new keys at the second sign-in",
        "signs the reader in twice, and asks for the keys twice", WANTED, Behaviour(rotation="before the second request"),
        "signed in twice",
    ),
    signs_in(
        "-signing-key-rotation-just-before-signing", "config, dynamic", "changes its keys between code and ID token",
        Behaviour(rotation="before signing"), "signs the reader in, and asks for the keys twice",
    ),
    # 'RP-Initiated Logout RP'.
    Module(
        "oidcc-client-test-rp-init-logout", "RP-initiated logout", "sends the reader back who signs out",
        "sends `id_token_hint` with `id_token_hint = true`, and says that the reader is signed out", WANTED,
        Behaviour(sid=GUID, calls_front_channel=True), "signed out",
    ),
    Module(
        "oidcc-client-test-rp-init-logout-other-state", "RP-initiated logout", "sends the reader back with another `state`",
        "sent none, so the suite skips the module; the page is the same", SKIPPED,
        Behaviour(sid=GUID, calls_front_channel=True, state_after_sign_out="other"), "signed out",
    ),
    Module(
        "oidcc-client-test-rp-init-logout-no-state", "RP-initiated logout", "sends the reader back without `state`",
        "sent none, so the suite skips the module; the page is the same", SKIPPED,
        Behaviour(sid=GUID, calls_front_channel=True, state_after_sign_out="none"), "signed out",
    ),
    # 'Front-Channel Logout RP'.
    Module(
        "oidcc-client-test-rp-frontchannel-rpinitlogout", "front-channel logout",
        "calls the site in a frame after the reader has signed out here", "ends the session, and accepts the call", WANTED,
        Behaviour(sid=SID_OF_THE_SUITE, calls_front_channel=True), "signed out",
    ),
    Module(
        "oidcc-client-test-rp-frontchannel-opinitlogout", "logout",
        "calls the site in a frame when the reader signs out there", "ends the session", WANTED,
        Behaviour(sid=SID_OF_THE_SUITE), "signed out by the provider",
    ),
    # What the comprehensive plan has beyond these; it is not for certification.
    refuses("-missing-aud", "comprehensive", "leaves `aud` out", Behaviour(claims={"aud": None}), "'aud' is missing"),
    refuses(
        "-invalid-sig-hs256", "comprehensive", "signs with HS256, and wrongly", Behaviour(algorithm="HS256", is_spoilt=True),
        "signed with 'HS256'",
    ),
    refuses(
        "-invalid-sig-es256", "comprehensive", "signs with ES256, and wrongly", Behaviour(algorithm="ES256", is_spoilt=True),
        "signed with 'ES256'",
    ),
    signs_in(
        "-userinfo-bearer-header", "comprehensive", "accepts the access token in the header field alone",
        siteauth="sends it there",
    ),
    *not_run(
        ["-userinfo-bearer-body"], "comprehensive", "accepts the access token in a form alone",
        "always sends it in the header field",
    ),
    signs_in(
        "-nonce-unless-code-flow", "comprehensive", "wants a `nonce`", siteauth="sends one in the code flow, too",
        result=OTHER_FLOW,
    ),
    signs_in(
        "-missing-athash", "comprehensive", "leaves `at_hash` out", Behaviour(claims={"at_hash": None}),
        "signs the reader in: in the code flow the claim is optional", OTHER_FLOW,
    ),
    refuses(
        "-invalid-athash", "comprehensive", "sends a wrong `at_hash`", Behaviour(claims={"at_hash": "invalid"}),
        "'at_hash' does not match", siteauth="refuses the ID token in the code flow, too", result=OTHER_FLOW,
    ),
    *not_run(
        ["-missing-chash", "-invalid-chash"], "comprehensive", "sends an ID token beside the code",
        "takes no ID token from there",
    ),
    *not_run(
        ["-aggregated-claims", "-distributed-claims"], "comprehensive", "tells addresses in another token or place",
        "reads no addresses",
    ),
    *not_run(
        ["-mtls-endpoint-aliases"], "comprehensive", "has endpoints for clients with a TLS certificate", "has none",
    ),
    signs_in(
        "-ignores-unparseable-key-in-jwks", "in no plan yet", "publishes keys of unknown kinds beside the usual ones",
        Behaviour(keys="usual and unusable"),
    ),
    # 'Form Post RP': the modules of 'basic' once more, and one for an error.
    Module(
        "oidcc-client-test", "form post", "answers as a form that the browser sends, here and in the 13 other modules of basic",
        "asks for an answer in the address, and takes no form: 400", DIFFERENCE, Behaviour(is_form_post=True), "form post",
    ),
    Module(
        "oidcc-client-test-form-post-error", "form post, comprehensive",
        "sends an error as a form, because of `max_age=0` with `prompt=none`", "never asks so, and takes no form: 400",
        DIFFERENCE, Behaviour(is_form_post=True, error="login_required"), "form post",
    ),
    # '3rd-Party-Init Login RP'.
    Module(
        "oidcc-client-test-3rd-party-init-login", "third-party-initiated login",
        "sends the reader to `/auth/sign-in` with `iss`", "begins the sign-in, and signs the reader in", WANTED, Behaviour(),
        "signed in from elsewhere",
    ),
    # What siteauth has nothing of.
    *not_run(
        ["-discovery-webfinger-acct", "-discovery-webfinger-url"], "dynamic", "is found by WebFinger",
        "has one provider, named in `secrets.toml`",
    ),
    *not_run(
        ["-dynamic-registration"], "dynamic", "registers the client at its first request", "has a client that was registered by hand",
    ),
    *not_run(
        ["-request-uri-signed-rs256", "-request-uri-signed-none"], "dynamic", "fetches the request from the client",
        "sends the request in the address",
    ),
    *not_run(["-userinfo-signed"], "dynamic", "signs the answer of UserInfo", "reads plain JSON alone, and the log says so"),
    *not_run(
        [f"-rp-backchannel-rpinitlogout{what}" for what in [
            "", "-alg-none", "-no-event", "-with-nonce", "-wrong-alg", "-wrong-aud", "-wrong-event", "-wrong-iss",
        ]],
        "back-channel logout", "sends the site a logout token", "has no address for it; the session ends when the provider is asked again",
    ),
    *not_run(["-session-management"], "session management", "is watched by a frame of the site", "has no such frame"),
    *not_run(
        ["-refresh-token", "-refresh-token-invalid-issuer", "-refresh-token-invalid-sub"], "refresh token",
        "issues a refresh token", "asks for none, and ignores one",
    ),
]

# What the suite has in each plan for the code flow; of the dynamic plan and the comprehensive one, what the others lack.
SIZES = {
    "basic": 14, "config": 6, "form post": 2, "RP-initiated logout": 3, "front-channel logout": 1, "back-channel logout": 8,
    "dynamic": 12, "session management": 1, "third-party-initiated login": 1, "refresh token": 3, "comprehensive": 14, "logout": 1,
    "in no plan yet": 1,
}


def with_outcome(outcome):
    return [module for module in MODULES if module.outcome == outcome]

"""An OpenID provider that behaves as the OpenID Foundation's conformance suite does towards relying parties.

Each module of the suite gets an issuer of its own. An issuer records every request, and complains of what a
relying party may not send in any of them.
"""

import base64
import dataclasses
import functools
import hashlib
import html
import http.server
import json
import secrets
import ssl
import sys
import threading
import time
import urllib.parse

import jwt
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa

from demo_site import free_port

CLIENT = "the client"
# Every character of these has to be encoded in `client_secret_basic` (RFC 6749, section 2.3.1).
CLIENT_SECRET = "a secret: of 50% + more & of 32 bytes"
KIM = {"sub": "kim", "name": "Kim Lee", "groups": ["staff"], "email": "kim@example.com"}
# Keys that a relying party cannot use, and has to leave out (RFC 7517, section 5).
UNUSABLE_KEYS = [
    {"kty": "AKP", "kid": "post-quantum", "alg": "ML-DSA-999", "pub": "AAAA", "use": "sig"},
    {"kty": "made-up", "kid": "made-up", "use": "sig"},
]


@dataclasses.dataclass(frozen=True)
class Behaviour:
    """What an issuer does; by default, everything as the standard wants it.

    `claims`, `user_info` and `document` are laid over the genuine ones; `None` takes a member away.
    """

    claims: dict = dataclasses.field(default_factory=dict)
    user_info: dict = dataclasses.field(default_factory=dict)
    document: dict = dataclasses.field(default_factory=dict)
    # Of the ID token: 'RS256', 'ES256', 'HS256' or 'none'; a spoilt signature is not of the token.
    algorithm: str = "RS256"
    is_spoilt: bool = False
    # 'usual', 'one without kid', 'several without kid' or 'usual and unusable'.
    keys: str = "usual"
    # When the keys change: 'before the second request' or 'before signing'.
    rotation: str = ""
    key_set_path: str = "jwks"
    is_form_post: bool = False
    # What the authorization endpoint answers instead of a code.
    error: str = ""
    # 'same', 'other' or 'none': the `state` with which a reader comes back who has signed out.
    state_after_sign_out: str = "same"
    sid: str | None = None
    calls_front_channel: bool = False


@dataclasses.dataclass
class Request:
    method: str
    endpoint: str
    query: dict
    form: dict
    headers: dict


@dataclasses.dataclass
class Answer:
    status: int
    body: str = ""
    type: str = "text/html; charset=utf-8"
    location: str = ""


def json_answer(status, members):
    return Answer(status, json.dumps(members), "application/json")


@functools.cache
def rsa_key(number):
    """A key that all issuers share; making one takes a tenth of a second."""
    return rsa.generate_private_key(public_exponent=65537, key_size=2048)


EC_KEY = ec.generate_private_key(ec.SECP256R1())
ED_KEY = ed25519.Ed25519PrivateKey.generate()
ENCRYPTION_KEY = 9


def web_key(key, **members):
    kinds = {
        rsa.RSAPrivateKey: jwt.algorithms.RSAAlgorithm, ec.EllipticCurvePrivateKey: jwt.algorithms.ECAlgorithm,
        ed25519.Ed25519PrivateKey: jwt.algorithms.OKPAlgorithm,
    }
    algorithm = next(algorithm for kind, algorithm in kinds.items() if isinstance(key, kind))
    public = algorithm.to_jwk(key.public_key(), as_dict=True)
    return {"use": "sig"} | {name: value for name, value in public.items() if name != "key_ops"} | members


def half_digest(text):
    """`at_hash` of a token (OpenID Connect Core 1.0, section 3.1.3.6)."""
    return base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()[:16]).rstrip(b"=").decode()


def laid_over(genuine, changes):
    return {name: value for name, value in (genuine | changes).items() if value is not None}


def spoilt(token):
    """The same token with another signature."""
    head, body, signature = token.split(".")
    raw = base64.urlsafe_b64decode(signature + "==")
    other = base64.urlsafe_b64encode(bytes(byte ^ 0x5A for byte in raw)).rstrip(b"=").decode()
    return f"{head}.{body}.{other}"


class Issuer:
    def __init__(self, url, site_url, behaviour):
        self.url, self.site_url, self.behaviour = url, site_url, behaviour
        self.requests, self.complaints, self.id_tokens = [], [], []
        self.codes, self.access_tokens = {}, {}
        self.rotations = 0

    def count(self, endpoint):
        return sum(request.endpoint == endpoint for request in self.requests)

    def last(self, endpoint):
        return [request for request in self.requests if request.endpoint == endpoint][-1]

    def expect(self, is_right, complaint):
        if not is_right:
            self.complaints.append(complaint)

    def answer(self, request):
        self.requests.append(request)
        for name in ["access_token", "client_secret", "code_verifier", "id_token", "refresh_token"]:
            self.expect(name not in request.query, f"{request.endpoint}: '{name}' stands in the query")
        endpoints = {
            ".well-known/openid-configuration": self.discover, self.behaviour.key_set_path: self.publish_keys,
            "authorize": self.authorize, "token": self.redeem, "userinfo": self.tell_user_info,
            "end_session_endpoint": self.sign_out, "frontchannel_logout_handler": self.sign_out_here,
        }
        endpoint = endpoints.get(request.endpoint)
        return endpoint(request) if endpoint else Answer(404)

    # Documents

    def discover(self, request):
        genuine = {
            "issuer": self.url, "authorization_endpoint": f"{self.url}/authorize",
            "token_endpoint": f"{self.url}/token", "userinfo_endpoint": f"{self.url}/userinfo",
            "jwks_uri": f"{self.url}/{self.behaviour.key_set_path}",
            "end_session_endpoint": f"{self.url}/end_session_endpoint",
            "response_types_supported": ["code"], "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": [self.behaviour.algorithm],
            "token_endpoint_auth_methods_supported": ["client_secret_basic"],
            "code_challenge_methods_supported": ["S256"], "frontchannel_logout_supported": True,
            "frontchannel_logout_session_supported": True,
        }
        return json_answer(200, laid_over(genuine, self.behaviour.document))

    def publish_keys(self, request):
        without_id = "without kid" in self.behaviour.keys
        # A rotation changes both keys; the second one signs.
        numbers = [2 * self.rotations + 1, 2 * self.rotations]
        if self.behaviour.keys == "one without kid":
            numbers.pop(0)
        signing = [web_key(rsa_key(number), kid=f"rsa-{number}") for number in numbers]
        # Whatever else is in the set, each of them could be taken for a key that signs.
        others = [
            web_key(EC_KEY, kid="ec"), web_key(ED_KEY, kid="ed"),
            web_key(rsa_key(ENCRYPTION_KEY), kid="encryption", use="enc"),
        ]
        keys = (UNUSABLE_KEYS if self.behaviour.keys == "usual and unusable" else []) + others + signing
        if without_id:
            keys = [{name: value for name, value in key.items() if name != "kid"} for key in keys]
        return json_answer(200, {"keys": keys})

    # Signing in

    def authorize(self, request):
        query = request.query
        self.expect(request.method == "GET", "authorize: the method is not GET")
        self.expect(query.get("response_type") == "code", "authorize: 'response_type' is not 'code'")
        self.expect(query.get("client_id") == CLIENT, "authorize: another 'client_id'")
        self.expect("openid" in query.get("scope", "").split(), "authorize: 'scope' has no 'openid'")
        self.expect(len(query.get("state", "")) >= 16, "authorize: 'state' is missing or short")
        self.expect(len(query.get("nonce", "")) >= 16, "authorize: 'nonce' is missing or short")
        self.expect(query.get("code_challenge_method") == "S256", "authorize: PKCE without S256")
        self.expect(len(query.get("code_challenge", "")) == 43, "authorize: 'code_challenge' is missing")
        self.expect(not {"request", "request_uri"} & set(query), "authorize: a request object")
        self.expect(
            (query.get("max_age"), query.get("prompt")) != ("0", "none"), "authorize: 'max_age' and 'prompt' disagree"
        )
        if query.get("redirect_uri") != f"{self.site_url}/auth/callback":
            self.complaints.append("authorize: another 'redirect_uri'")
            return Answer(400)
        if self.behaviour.rotation == "before the second request" and self.count("authorize") > 1:
            self.rotations += 1
        code = secrets.token_urlsafe(24)
        self.codes[code] = query
        answer = {"error": self.behaviour.error} if self.behaviour.error else {"code": code}
        answer["state"] = query.get("state", "")
        if self.behaviour.is_form_post:
            fields = "".join(f'<input type="hidden" name="{name}" value="{value}">' for name, value in answer.items())
            return Answer(200, f'<form method="post" action="{query["redirect_uri"]}">{fields}</form>')
        return Answer(302, location=f"{query['redirect_uri']}?{urllib.parse.urlencode(answer)}")

    def redeem(self, request):
        form = request.form
        self.expect(request.method == "POST", "token: the method is not POST")
        self.expect(form.get("grant_type") == "authorization_code", "token: another 'grant_type'")
        self.expect("client_secret" not in form, "token: 'client_secret' stands in the form")
        self.expect(form.get("client_id", CLIENT) == CLIENT, "token: another 'client_id'")
        credential = f"{urllib.parse.quote(CLIENT, safe='')}:{urllib.parse.quote(CLIENT_SECRET, safe='')}"
        basic = f"Basic {base64.b64encode(credential.encode()).decode()}"
        if request.headers.get("authorization") != basic:
            self.complaints.append("token: no 'client_secret_basic', or a wrong one")
            return json_answer(401, {"error": "invalid_client"})
        asked = self.codes.pop(form.get("code"), None)
        if asked is None:
            self.complaints.append("token: an unknown or used code")
            return json_answer(400, {"error": "invalid_grant"})
        self.expect(form.get("redirect_uri") == asked["redirect_uri"], "token: another 'redirect_uri'")
        digest = hashlib.sha256(form.get("code_verifier", "").encode()).digest()
        challenge = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
        if challenge != asked.get("code_challenge"):
            self.complaints.append("token: 'code_verifier' does not fit")
            return json_answer(400, {"error": "invalid_grant"})
        if self.behaviour.rotation == "before signing":
            self.rotations += 1
        access_token = secrets.token_urlsafe(24)
        self.access_tokens[access_token] = asked["scope"].split()
        id_token = self.id_token(asked, access_token)
        self.id_tokens.append(id_token)
        return json_answer(200, {
            "token_type": "Bearer", "access_token": access_token, "id_token": id_token, "expires_in": 300,
        })

    def id_token(self, asked, access_token):
        now = int(time.time())
        genuine = {
            "iss": self.url, "sub": KIM["sub"], "aud": CLIENT, "nonce": asked.get("nonce"), "iat": now,
            "exp": now + 300, "at_hash": half_digest(access_token), "sid": self.behaviour.sid,
        }
        algorithm = self.behaviour.algorithm
        key, key_id = {
            "RS256": (rsa_key(2 * self.rotations), f"rsa-{2 * self.rotations}"), "ES256": (EC_KEY, "ec"),
            "HS256": (CLIENT_SECRET, None), "none": (None, None),
        }[algorithm]
        headers = {"kid": key_id} if key_id and "without kid" not in self.behaviour.keys else None
        token = jwt.encode(laid_over(genuine, self.behaviour.claims), key, algorithm, headers)
        return spoilt(token) if self.behaviour.is_spoilt else token

    def tell_user_info(self, request):
        bearer = request.headers.get("authorization", "").removeprefix("Bearer ")
        self.expect("access_token" not in request.form, "userinfo: the token stands in the form")
        scopes = self.access_tokens.get(bearer)
        if scopes is None:
            self.complaints.append("userinfo: no access token of this issuer in the header")
            return Answer(401)
        # OpenID Connect Core 1.0, section 5.4.
        hidden = {"name": "profile", "email": "email"}
        told = {name: value for name, value in KIM.items() if hidden.get(name, "openid") in scopes}
        return json_answer(200, laid_over(told, self.behaviour.user_info))

    # Signing out

    def sign_out(self, request):
        query = request.query if request.method == "GET" else request.form
        self.expect(query.get("id_token_hint") in self.id_tokens, "end_session: 'id_token_hint' is no ID token of here")
        self.expect(query.get("client_id", CLIENT) == CLIENT, "end_session: another 'client_id'")
        target = query.get("post_logout_redirect_uri")
        if target != f"{self.site_url}/auth/signed-out":
            self.complaints.append("end_session: another 'post_logout_redirect_uri'")
            return Answer(400)
        state = {"same": query.get("state"), "other": "a-state-that-nobody-sent", "none": None}
        state = state[self.behaviour.state_after_sign_out]
        target += f"?{urllib.parse.urlencode({'state': state})}" if state else ""
        return self.frame(target) if self.behaviour.calls_front_channel else Answer(302, location=target)

    def sign_out_here(self, request):
        return self.frame("")

    def frame(self, target):
        """A page with the hidden frame that ends the session at the site."""
        told = urllib.parse.urlencode({"iss": self.url, "sid": self.behaviour.sid})
        frame = html.escape(f"{self.site_url}/auth/front-channel-sign-out?{told}")
        link = f'<a href="{html.escape(target)}">Go back</a>' if target else ""
        return Answer(200, f'<!doctype html><title>Signing out</title><iframe src="{frame}"></iframe>{link}')


class Server(http.server.ThreadingHTTPServer):
    def handle_error(self, request, client_address):
        """A browser that hangs up is no error; all others are printed."""
        if not isinstance(sys.exception(), OSError):
            super().handle_error(request, client_address)


class ConformanceProvider:
    """All issuers at one port, behind TLS."""

    def __init__(self, certificate, key):
        self.port = free_port()
        self.host = f"localhost:{self.port}"
        self.url = f"https://{self.host}"
        self.issuers = {}
        self.server = Server(("127.0.0.1", self.port), self.handler())
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        # The thread of the request shakes hands, and not the one that all connections come through.
        self.server.socket = context.wrap_socket(self.server.socket, server_side=True, do_handshake_on_connect=False)
        self.thread = threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.02})
        self.thread.start()

    def issuer(self, name, site_url, behaviour):
        self.issuers[name] = Issuer(f"{self.url}/test/a/{name}", site_url, behaviour)
        return self.issuers[name]

    def handler(provider):
        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                url = urllib.parse.urlsplit(self.path)
                name, _, endpoint = url.path.removeprefix("/test/a/").partition("/")
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
                request = Request(
                    self.command, endpoint, dict(urllib.parse.parse_qsl(url.query)), dict(urllib.parse.parse_qsl(body)),
                    {field.lower(): value for field, value in self.headers.items()},
                )
                issuer = provider.issuers.get(name)
                answer = issuer.answer(request) if issuer else Answer(404)
                self.send_response(answer.status)
                self.send_header("Content-Type", answer.type)
                self.send_header("Content-Length", str(len(answer.body.encode())))
                if answer.location:
                    self.send_header("Location", answer.location)
                self.end_headers()
                self.wfile.write(answer.body.encode())

            do_POST = do_GET

            def log_message(self, *arguments):
                pass

        return Handler

    def close(self):
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()

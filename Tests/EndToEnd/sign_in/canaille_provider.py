"""Canaille with two people in its memory: `canaille_provider.py PORT SITE`."""

import datetime
import sys

from canaille import create_app
from canaille.app import models
from canaille.backends import Backend
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

port, site = int(sys.argv[1]), sys.argv[2]
key = rsa.generate_private_key(public_exponent=65537, key_size=2048).private_bytes(
    serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
)
app = create_app(
    config={
        "SECRET_KEY": "a provider of a test",
        "SERVER_NAME": f"127.0.0.1:{port}",
        "PREFERRED_URL_SCHEME": "http",
        "AUTHLIB_INSECURE_TRANSPORT": True,
        "CANAILLE": {"DATABASE": "memory", "JAVASCRIPT": False},
        "CANAILLE_OIDC": {"ACTIVE_JWKS": [key.decode()]},
    }
)
with app.app_context(), Backend.instance.session():
    people = {}
    for name in ["kim", "lou"]:
        people[name] = models.User(
            user_name=name, formatted_name=f"{name.title()} Lee", family_name="Lee",
            emails=[f"{name}@example.com"], password=f"{name}-password",
        )
        Backend.instance.save(people[name])
    Backend.instance.save(models.Group(display_name="staff", members=[people["kim"]]))
    client = models.Client(
        client_id="handbook", client_secret="secret-of-the-handbook", client_name="Handbook",
        client_uri="http://127.0.0.1/", client_id_issued_at=datetime.datetime.now(datetime.UTC),
        redirect_uris=[f"{site}/auth/callback"],
        post_logout_redirect_uris=[f"{site}/auth/signed-out"],
        grant_types=["authorization_code"], response_types=["code"],
        scope=["openid", "profile", "email", "groups"],
        token_endpoint_auth_method="client_secret_post", id_token_signed_response_alg="RS256",
    )
    Backend.instance.save(client)
    client.audience = [client]
    Backend.instance.save(client)
app.run(host="127.0.0.1", port=port, threaded=True)

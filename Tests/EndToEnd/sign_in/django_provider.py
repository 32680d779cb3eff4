"""A Django site with django-oauth-toolkit and two people: `django_provider.py PORT SITE FOLDER`.

Its ID tokens name nobody: name and groups are told at UserInfo, the groups within another claim.
"""

import sys
from wsgiref.simple_server import make_server

import django
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from django.conf import settings
from django.core.wsgi import get_wsgi_application

port, site, folder = int(sys.argv[1]), sys.argv[2], sys.argv[3]
key = rsa.generate_private_key(public_exponent=65537, key_size=2048).private_bytes(
    serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
)
settings.configure(
    DEBUG=True,
    SECRET_KEY="a provider of a test",
    ALLOWED_HOSTS=["127.0.0.1"],
    ROOT_URLCONF=__name__,
    LOGIN_URL="/admin/login/",
    STATIC_URL="/static/",
    USE_TZ=True,
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": f"{folder}/django.db"}},
    DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
    PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"],
    INSTALLED_APPS=[
        "django.contrib.admin", "django.contrib.auth", "django.contrib.contenttypes",
        "django.contrib.messages", "django.contrib.sessions", "oauth2_provider",
    ],
    MIDDLEWARE=[f"django.{name}" for name in [
        "contrib.sessions.middleware.SessionMiddleware", "middleware.csrf.CsrfViewMiddleware",
        "contrib.auth.middleware.AuthenticationMiddleware", "contrib.messages.middleware.MessageMiddleware",
    ]],
    TEMPLATES=[{
        "BACKEND": "django.template.backends.django.DjangoTemplates", "APP_DIRS": True, "OPTIONS": {"context_processors": [
            "django.template.context_processors.request", "django.contrib.auth.context_processors.auth",
            "django.contrib.messages.context_processors.messages",
        ]},
    }],
    OAUTH2_PROVIDER={
        "OIDC_ENABLED": True,
        "OIDC_RSA_PRIVATE_KEY": key.decode(),
        "OIDC_RP_INITIATED_LOGOUT_ENABLED": True,
        "OIDC_RP_INITIATED_LOGOUT_ALWAYS_PROMPT": False,
        "OAUTH2_VALIDATOR_CLASS": f"{__name__}.Claims",
        "SCOPES": {"openid": "Who you are", "profile": "Your name", "email": "Your address"},
    },
)
django.setup()

from django.contrib import admin
from django.contrib.auth.models import Group, User
from django.core.management import call_command
from django.http import HttpResponse
from django.urls import include, path
from oauth2_provider import urls
from oauth2_provider.models import Application
from oauth2_provider.oauth2_validators import OAuth2Validator


class Claims(OAuth2Validator):
    # Without these two, whoever is signed in gets an error page for `prompt=none`.
    def validate_silent_login(self, request):
        return True

    def validate_silent_authorization(self, request):
        return True

    def get_userinfo_claims(self, request):
        groups = list(request.user.groups.values_list("name", flat=True))
        return super().get_userinfo_claims(request) | {
            "preferred_username": request.user.username, "realm_access": {"roles": groups}
        }


def nothing(request, name):
    """In place of scripts and styles, which the form does not need."""
    return HttpResponse(content_type="text/css" if name.endswith(".css") else "text/javascript")


urlpatterns = [path("admin/", admin.site.urls), path("o/", include(urls)), path("static/<path:name>", nothing)]

call_command("migrate", verbosity=0)
staff = Group.objects.create(name="staff")
for name in ["kim", "lou"]:
    # Whoever may use the page with the form for signing in, which is the administrators' one.
    user = User.objects.create_user(name, password=f"{name}-password", is_staff=True)
    if name == "kim":
        user.groups.add(staff)
Application.objects.create(
    name="Handbook", client_id="handbook", client_secret="secret-of-the-handbook",
    client_type="confidential", authorization_grant_type="authorization-code", algorithm="RS256",
    redirect_uris=f"{site}/auth/callback", post_logout_redirect_uris=f"{site}/auth/signed-out",
    skip_authorization=True,
)
make_server("127.0.0.1", port, get_wsgi_application()).serve_forever()

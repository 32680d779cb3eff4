"""Sites in Flask that sign people in as Microsoft's tutorials and Authlib's manual teach it."""

import pathlib
import shutil
import tempfile
import threading

import msal
from authlib.integrations.base_client import OAuthError
from authlib.integrations.flask_client import OAuth
from flask import Flask, redirect, render_template_string, request, session, url_for
from identity.flask import Auth
from joserfc.errors import JoseError
from werkzeug.serving import make_server

from demo_site import free_port
from emulator import APPLICATION, SECRET

# The tutorial's page, without its picture.
INDEX = """
<!DOCTYPE html>
<html lang="en">
<head><meta charset="UTF-8"><title>{{ title }}</title></head>
<body>
    <h1>{{ title }}</h1>
    <h2>Welcome {{ user.get("name") }}!</h2>
    {% if links %}<p><a href="{{ links.graph }}">Call Microsoft Graph API</a></p>{% endif %}
    <p><a href="{{ logout }}">Logout</a></p>
</body>
</html>
"""


class FlaskSite:
    """One site on a free port; `build` gives it its pages."""

    def __init__(self, build, **settings):
        self.port = free_port()
        self.url = f"http://localhost:{self.port}"
        self.redirect_uri = f"{self.url}/getAToken"
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="flask-", dir="/tmp"))
        self.app = Flask(__name__, root_path=self.folder)
        self.app.config.update(
            SECRET_KEY="nothing that is worth a secret",
            SESSION_TYPE="filesystem",
            SESSION_FILE_DIR=self.folder / "sessions",
        )
        build(self, **settings)
        self.server = make_server("127.0.0.1", self.port, self.app, threaded=True)
        self.thread = threading.Thread(target=self.server.serve_forever)
        self.thread.start()

    def close(self):
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()
        shutil.rmtree(self.folder, ignore_errors=True)


def tutorial(site, client_id=APPLICATION, **authority):
    """Microsoft's tutorial 'Sign-in users to a Python Flask web app', with `identity`."""
    auth = Auth(site.app, client_id=client_id, client_credential=SECRET, redirect_uri=site.redirect_uri, **authority)

    @site.app.route("/")
    @auth.login_required
    def index(*, context):
        return render_template_string(
            INDEX,
            user=context["user"],
            title="Flask Web App Sample",
            logout=url_for("identity.logout"),
        )

    @site.app.route("/claims")
    @auth.login_required
    def claims(*, context):
        return context["user"]

    @site.app.route("/token")
    @auth.login_required(scopes=["User.Read"])
    def token(*, context):
        return {key: context[key] for key in ("access_token", "scopes", "expires_in")}


def msal_sample(site, authority, response_mode):
    """Microsoft's older sample `app.py`, which uses MSAL itself."""

    def application(cache=None):
        return msal.ConfidentialClientApplication(
            APPLICATION,
            client_credential=SECRET,
            authority=authority,
            instance_discovery=False,
            token_cache=cache,
        )

    @site.app.route("/")
    def index():
        if "user" not in session:
            return redirect(url_for("login"))
        return render_template_string(
            INDEX,
            user=session["user"],
            title="Microsoft Identity Python web app",
            logout=url_for("logout"),
        )

    @site.app.route("/login")
    def login():
        session["flow"] = application().initiate_auth_code_flow(
            ["User.Read"], redirect_uri=site.redirect_uri, response_mode=response_mode
        )
        return f'<a href="{session["flow"]["auth_uri"]}">Login with Microsoft Identity</a>'

    @site.app.route("/getAToken", methods=["GET", "POST"])
    def authorized():
        result = application().acquire_token_by_auth_code_flow(session.pop("flow"), request.values.to_dict())
        if "error" in result:
            return f"Login failure: {result['error']}, {result['error_description']}"
        session["user"] = result["id_token_claims"]
        return redirect(url_for("index"))

    @site.app.route("/logout")
    def logout():
        session.clear()
        return redirect(
            f"{authority}/oauth2/v2.0/logout"
            f"?post_logout_redirect_uri={url_for('index', _external=True)}"
        )


def authlib_site(site, authority):
    """A site with Authlib, on which Streamlit builds too; the secret goes by Basic."""
    oauth = OAuth(site.app)
    oauth.register(
        "entra",
        client_id=APPLICATION,
        client_secret=SECRET,
        server_metadata_url=f"{authority}/v2.0/.well-known/openid-configuration",
        client_kwargs={"scope": "openid email profile", "code_challenge_method": "S256"},
    )

    @site.app.route("/")
    def index():
        if "user" not in session:
            return '<a href="/login">Log in with Microsoft</a>'
        return render_template_string(INDEX, user=session["user"], title="Authlib", logout=url_for("logout"))

    @site.app.route("/login")
    def login():
        return oauth.entra.authorize_redirect(site.redirect_uri)

    @site.app.route("/getAToken")
    def authorized():
        try:
            token = oauth.entra.authorize_access_token()
        except (JoseError, OAuthError) as refusal:
            return f"<p>{refusal}</p>", 403
        session["user"] = dict(token["userinfo"])
        session["graph"] = dict(oauth.entra.userinfo())
        return redirect("/")

    @site.app.route("/logout")
    def logout():
        hint = session.pop("user")["login_hint"]
        return oauth.entra.logout_redirect(f"{site.url}/", logout_hint=hint, client_id=APPLICATION)

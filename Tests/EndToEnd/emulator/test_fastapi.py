"""An API that is protected by fastapi-azure-auth takes the emulator's tokens, and refuses others'."""

import ssl
import threading
from contextlib import closing

import pytest
import requests
import uvicorn
from fastapi import FastAPI, Security
from fastapi_azure_auth.auth import AzureAuthorizationCodeBearerBase

from demo_site import free_port, wait_for
from emulator import TASKS_API, TENANT
from msal_client import confidential, sign_in

pytestmark = [
    pytest.mark.usefixtures("trust"),
    pytest.mark.filterwarnings("ignore:response_mode='form_post' is recommended"),
]

TASKS = f"api://{TASKS_API}"


class TasksAPI:
    """One path for people who may read tasks, and one for whoever has a token."""

    def __init__(self, emulator):
        self.url = f"http://127.0.0.1:{free_port()}"
        scheme = AzureAuthorizationCodeBearerBase(
            app_client_id=TASKS_API,
            tenant_id=TENANT,
            openid_config_url=emulator.authority() + "/v2.0/.well-known/openid-configuration",
            http_client_config={"verify": ssl.create_default_context(cafile=emulator.front.authority)},
        )
        application = FastAPI()

        @application.get("/tasks")
        async def tasks(user=Security(scheme, scopes=["Tasks.Read"])):
            return {"name": user.name, "roles": user.roles}

        @application.get("/caller")
        async def caller(user=Security(scheme)):
            return {"client": user.azp, "roles": user.roles, "scopes": user.scp}

        port = int(self.url.rpartition(":")[2])
        self.server = uvicorn.Server(uvicorn.Config(application, port=port, log_level="error"))
        self.thread = threading.Thread(target=self.server.run)
        self.thread.start()
        wait_for(lambda: self.server.started)

    def get(self, path, token):
        return requests.get(self.url + path, headers={"Authorization": f"Bearer {token}"}, timeout=60)

    def close(self):
        self.server.should_exit = True
        self.thread.join()


@pytest.fixture
def api(emulator):
    with closing(TasksAPI(emulator)) as api:
        yield api


def test_people_come_with_scopes_and_roles(emulator, api):
    reader = sign_in(confidential(emulator.authority()), scopes=[f"{TASKS}/Tasks.Read"])
    answer = api.get("/tasks", reader["access_token"])
    assert answer.json() == {"name": "Alice Adams", "roles": ["Manager"]}, answer.text
    writer = sign_in(confidential(emulator.authority()), scopes=[f"{TASKS}/Tasks.Write"])
    assert api.get("/tasks", writer["access_token"]).status_code == 403
    assert api.get("/caller", writer["access_token"]).json()["scopes"] == ["Tasks.Write"]


def test_a_program_comes_with_roles_alone(emulator, api):
    program = confidential(emulator.authority())
    token = program.acquire_token_for_client([f"{TASKS}/.default"])["access_token"]
    assert api.get("/caller", token).json()["roles"] == ["Tasks.Read.All"]
    assert api.get("/tasks", token).status_code == 403


def test_other_tokens_are_refused(emulator, api):
    graph = sign_in(confidential(emulator.authority()))
    # Not of this API; not of this API's shape; and not by these keys.
    for token in [graph["id_token"], graph["access_token"], graph["id_token"][:-8] + "AAAAAAAA"]:
        assert api.get("/caller", token).status_code == 401
    emulator.order("clock", offset=-7200)
    try:
        old = sign_in(confidential(emulator.authority()), scopes=[f"{TASKS}/Tasks.Read"])
    finally:
        emulator.order("clock", offset=0)
    answer = api.get("/caller", old["access_token"])
    assert answer.status_code == 401 and "expired" in answer.text

"""Alert rules, dashboard and the schema of log lines: checked by promtool, and against a real Prometheus."""

import http.client
import json
import re
import ssl
import subprocess
import time

import pytest
import requests

from demo_site import NAVIGATE, ROOT, free_port, replaced, wait_for
from handbook_pages import page
from own_service import cookie
from tls_front import make_certificate
from told_by_programs import OneAnswer

FOLDER = ROOT / "Packaging/monitoring"
PROGRAMS = ROOT / ".build/prometheus/usr/bin"
RULES = (FOLDER / "siteauth-rules.yml").read_text()
DASHBOARD = json.loads((FOLDER / "siteauth-dashboard.json").read_text())
EXPRESSIONS = [target["expr"] for panel in DASHBOARD["panels"] for target in panel["targets"]]
WATCH = page("how-to/watch.md")
needs_prometheus = pytest.mark.skipif(
    not (PROGRAMS / "promtool").exists(), reason="'.ci/prometheus' unpacks Debian's prometheus"
)


@pytest.fixture(scope="module")
def metrics(tmp_path_factory):
    return OneAnswer(tmp_path_factory.mktemp("siteauth")).metrics()


def block(language, words):
    return next(block.text for block in WATCH.blocks if block.language == language and words in block.text)


@needs_prometheus
@pytest.mark.parametrize("command", [["check", "rules", "siteauth-rules.yml"], ["test", "rules", "siteauth-rules-test.yml"]])
def test_promtool_accepts_the_rules_and_their_tests_hold(command):
    result = subprocess.run([PROGRAMS / "promtool", *command], cwd=FOLDER, capture_output=True, text=True)
    assert result.returncode == 0, result.stdout + result.stderr


def test_each_alert_has_a_test_that_fires_and_one_that_does_not_and_an_entry():
    alerts = re.findall(r"- alert: (\w+)", RULES)
    tests = (FOLDER / "siteauth-rules-test.yml").read_text()
    assert len(alerts) > 12 and len(set(alerts)) == len(alerts)
    for alert in alerts:
        assert re.search(rf"alertname: {alert}\n +exp_alerts:\n +- exp_labels", tests), alert
    assert set(alerts) == WATCH.heads(r"Siteauth\w+", under="Alerts")
    assert RULES.count("summary:") == RULES.count("remedy:") == RULES.count("severity:") == len(alerts)


def test_rules_and_dashboard_use_metrics_and_labels_that_siteauth_has(metrics):
    expressions = EXPRESSIONS + re.findall(r"expr: (?:>-\n)?((?:.+\n(?=          ))*.+)", RULES)
    expressions += [variable["query"]["query"] for variable in DASHBOARD["templating"]["list"][1:]]
    used = set()
    for expression in expressions:
        for name, labels in re.findall(r"(siteauth_[a-z_]+)(?:\{([^}]*)\})?", expression):
            name = re.sub(r"_bucket$", "", name)
            assert name in metrics, expression
            used.add(name)
            for label, values in re.findall(r'(\w+)=~?"([^"$]+)"', labels):
                # Those of Redis have no series without one.
                assert not metrics[name] or set(values.split("|")) <= metrics[name][label], expression
    # The dashboard leaves none out.
    assert used == set(metrics)


def test_the_dashboard_is_one_that_grafana_can_show():
    panels = DASHBOARD["panels"]
    assert len({panel["id"] for panel in panels}) == len(panels)
    taken = set()
    for panel in panels:
        place = panel["gridPos"]
        cells = {(place["x"] + column, place["y"] + row) for column in range(place["w"]) for row in range(place["h"])}
        assert not cells & taken and place["x"] + place["w"] <= 24, panel["title"]
        taken |= cells
        assert panel["title"] and panel["targets"]
        for target in panel["targets"]:
            assert target["datasource"]["uid"] == "${source}" and target["legendFormat"]
            assert 'site=~"$site",instance=~"$instance"' in target["expr"]
    assert {variable["name"] for variable in DASHBOARD["templating"]["list"]} == {"source", "site", "instance"}


def test_the_schema_has_every_event_of_the_log(metrics):
    schema = json.loads((FOLDER / "log-event.schema.json").read_text())
    # The one event that is counted and not logged.
    assert set(schema["properties"]["event"]["enum"]) == metrics["siteauth_events_total"]["event"] - {"sign_in_begun"}
    assert set(schema["properties"]["level"]["enum"]) == metrics["siteauth_events_total"]["level"]


@pytest.fixture
def elsewhere(own):
    """The configuration of nginx by which the handbook lets another machine ask, with the password as made there."""
    run, folder = own.folder / "run", own.folder
    for name in ["docs", "wiki"]:
        (run / name).mkdir(parents=True)
        (run / name / "status.sock").symlink_to(folder / "status.sock")
    locations = folder / "snippets/siteauth/status.conf"
    locations.write_text(locations.read_text().replace("/run/siteauth", str(run)))
    make_certificate(folder, "docs.example.com", "/CN=docs.example.com", "CA:TRUE")
    script = block("sh", "openssl passwd").replace("/root/", f"{folder}/").replace("/etc/nginx/", f"{folder}/")
    subprocess.run(["bash", "-euc", script.replace("--group=www-data ", "")], check=True)
    own.status_port = free_port()
    text = replaced(block("nginx", "auth_basic"), {
        "127.0.0.1:9464": f"127.0.0.1:{free_port()}", "10.0.0.7:9464": f"127.0.0.1:{own.status_port}",
        "/etc/letsencrypt/live/docs.example.com/fullchain.pem": f"{folder}/docs.example.com.crt",
        "/etc/letsencrypt/live/docs.example.com/privkey.pem": f"{folder}/docs.example.com.key",
        "allow 10.0.0.9": "allow 127.0.0.1", "/etc/nginx/status.users": f"{folder}/status.users",
    })
    own.secrets.write_text(own.secrets.read_text() + "client_secret_expires = 2038-01-01\n")
    own.serve(http=text)
    return own


def test_another_machine_needs_its_address_the_password_and_tls(elsewhere):
    password = (elsewhere.folder / "status.password").read_text().strip()
    assert len(password) == 40 and password not in (elsewhere.folder / "status.users").read_text()
    assert (elsewhere.folder / "status.password").stat().st_mode & 0o077 == 0
    context = ssl.create_default_context(cafile=elsewhere.folder / "docs.example.com.crt")
    context.check_hostname = False

    def ask(user, secret, source="127.0.0.1"):
        connection = http.client.HTTPSConnection(
            "127.0.0.1", elsewhere.status_port, source_address=(source, 0), context=context
        )
        fields = {"Authorization": requests.auth._basic_auth_str(user, secret)} if user else {}
        connection.request("GET", "/docs/metrics", headers=fields)
        return connection.getresponse().status

    assert ask("prometheus", password) == 200
    assert ask(None, None) == ask("prometheus", "wrong") == ask("root", password) == 401
    assert ask("prometheus", password, source="127.0.0.2") == 403
    assert requests.get(f"http://127.0.0.1:{elsewhere.status_port}/docs/metrics").status_code == 400


@needs_prometheus
def test_prometheus_tells_sites_and_machines_apart_and_knows_every_expression(elsewhere, signed_in, tmp_path):
    port, status = free_port(), elsewhere.status_port
    text = replaced(block("yaml", "scrape_configs"), {
        "siteauth-rules.yml": str(FOLDER / "siteauth-rules.yml"),
        "'10.0.0.7:9464', '10.0.0.8:9464'": f"'127.0.0.1:{status}', 'localhost:{status}'",
        "'10.0.0.7:9464'": f"'127.0.0.1:{status}'",
        "/etc/prometheus/siteauth.password": f"{elsewhere.folder}/status.password",
        "{server_name: docs.example.com}":
            f"{{ca_file: {elsewhere.folder}/docs.example.com.crt, server_name: localhost}}",
    })
    (tmp_path / "prometheus.yml").write_text("global: {scrape_interval: 500ms, evaluation_interval: 500ms}\n" + text)
    with (tmp_path / "log").open("w") as log:
        prometheus = subprocess.Popen(
            [PROGRAMS / "prometheus", f"--config.file={tmp_path}/prometheus.yml", f"--storage.tsdb.path={tmp_path}/data",
             f"--web.listen-address=127.0.0.1:{port}"], stderr=log, stdout=log,
        )

    def query(expression):
        answer = requests.get(f"http://127.0.0.1:{port}/api/v1/query", params={"query": expression}).json()
        assert answer["status"] == "success", (expression, answer)
        return answer["data"]["result"]

    def is_up():
        try:
            return len(query("siteauth_ready == 1")) == 3
        except requests.RequestException:
            return False

    try:
        alice = cookie(signed_in())
        wait_for(is_up)
        for _ in range(10):
            requests.get(elsewhere.url + "/company/", headers=alice | NAVIGATE)
            time.sleep(0.1)
        expected = {("docs", f"127.0.0.1:{status}"), ("docs", f"localhost:{status}"), ("wiki", f"127.0.0.1:{status}")}
        # A question that is answered late is one without an answer to Prometheus.
        wait_for(lambda: expected == {
            (series["metric"]["site"], series["metric"]["instance"]) for series in query("siteauth_build_info")
        })
        expressions = EXPRESSIONS
        for name, value in {"$site": "docs", "$instance": ".*", "$__rate_interval": "10s"}.items():
            expressions = [expression.replace(name, value) for expression in expressions]
        # There is no Redis, and what counts from a warning on may have no series.
        absent = re.compile(r"> 0$|siteauth_redis_")
        wait_for(lambda: all(query(expression) or absent.search(expression) for expression in expressions))
        # The rules are those of the file, and all of them can be evaluated.
        groups = requests.get(f"http://127.0.0.1:{port}/api/v1/rules").json()["data"]["groups"]
        rules = [rule for group in groups for rule in group["rules"]]
        assert len(rules) == RULES.count("- alert:") and {rule["health"] for rule in rules} <= {"ok", "unknown"}
    finally:
        prometheus.terminate()
        prometheus.wait(timeout=60)

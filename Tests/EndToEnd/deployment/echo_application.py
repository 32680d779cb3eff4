"""An application behind nginx that answers with what arrived."""

import http.server
import json


class Echo(http.server.BaseHTTPRequestHandler):
    """Answers with what arrived."""

    seen = []

    def answer(self):
        Echo.seen.append(self.path)
        if "accel" in self.path:
            self.send_response(200)
            self.send_header("X-Accel-Redirect", "/_errors/503.html")
            self.end_headers()
            return
        sent = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
        body = json.dumps({"path": self.path, "fields": self.headers.items(), "body": sent}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_GET = do_POST = do_OPTIONS = answer

    def log_message(self, *_):
        pass


def fields_of(body):
    """Names as an application that knows no difference between '-' and '_' has them."""
    found = {}
    for name, value in json.loads(body)["fields"]:
        found.setdefault(name.lower().replace("_", "-"), []).append(value)
    return found

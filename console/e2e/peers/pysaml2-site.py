"""A site that signs its users in with pysaml2, behind a TLS proxy.

Arguments: a folder with sp.key, sp.crt and keyward.xml, the port, and the URL of the site.
"""

import json
import secrets
import sys
from http.cookies import SimpleCookie
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlparse

from saml2 import BINDING_HTTP_POST, BINDING_HTTP_REDIRECT
from saml2.client import Saml2Client
from saml2.config import SPConfig
from saml2.metadata import entity_descriptor
from saml2.time_util import in_a_while

folder, port, base = sys.argv[1], int(sys.argv[2]), sys.argv[3]
BINDINGS = {"redirect": BINDING_HTTP_REDIRECT, "post": BINDING_HTTP_POST}

config = SPConfig().load(
    {
        "entityid": f"{base}/metadata",
        "key_file": f"{folder}/sp.key",
        "cert_file": f"{folder}/sp.crt",
        "encryption_keypairs": [{"key_file": f"{folder}/sp.key", "cert_file": f"{folder}/sp.crt"}],
        "metadata": {"local": [f"{folder}/keyward.xml"]},
        "allow_unknown_attributes": True,
        "service": {
            "sp": {
                "endpoints": {
                    "assertion_consumer_service": [(f"{base}/acs", BINDING_HTTP_POST)],
                    "single_logout_service": [(f"{base}/slo/{name}", uri) for name, uri in BINDINGS.items()],
                },
                "authn_requests_signed": True,
                "logout_requests_signed": True,
                "logout_responses_signed": True,
                "want_response_signed": True,
                "want_assertions_signed": True,
            }
        },
    }
)
client = Saml2Client(config)
(idp,) = client.metadata.with_descriptor("idpsso")
supported = client.metadata.supported_algorithms(idp)
# The first algorithms that the identity provider announces: the default of pysaml2 is SHA-1.
sign = {"sign_alg": supported["signing_methods"][0], "digest_alg": supported["digest_methods"][0]}
outstanding: dict = {}
sessions: dict = {}


class Site(BaseHTTPRequestHandler):
    def do_GET(self):
        self.answer({name: values[0] for name, values in parse_qs(urlparse(self.path).query).items()}, "redirect")

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        self.answer({name: values[0] for name, values in parse_qs(body).items()}, "post")

    def answer(self, fields, binding):
        path = urlparse(self.path).path
        cookie = SimpleCookie(self.headers.get("Cookie", "")).get("site")
        session = sessions.get(cookie.value) if cookie else None
        try:
            if path == "/metadata":
                self.send(str(entity_descriptor(config)), content_type="application/xml")
            elif path == "/acs":
                self.sign_in(fields)
            elif path.startswith("/slo/"):
                self.log_out(fields, BINDINGS[binding], session)
            elif not session:
                request_id, info = client.prepare_for_authenticate(
                    entityid=idp, relay_state=path, binding=BINDING_HTTP_REDIRECT, sign=True, sigalg=sign["sign_alg"]
                )
                outstanding[request_id] = path
                self.send_info(info)
            elif path == "/logout":
                wanted = BINDINGS[fields["binding"]]
                requests = client.do_logout(
                    session["name_id"], [idp], "", in_a_while(minutes=5), True, expected_binding=wanted, **sign
                )
                self.send_info(requests[idp][1])
            else:
                self.page({"attributes": session["attributes"]})
        except Exception as error:  # shown to the test
            self.page({"error": f"{type(error).__name__}: {error}"}, 500)

    def sign_in(self, fields):
        response = client.parse_authn_request_response(fields["SAMLResponse"], BINDING_HTTP_POST, outstanding)
        session = secrets.token_hex()
        sessions[session] = {"name_id": response.name_id, "attributes": response.ava}
        # Sent with the forms of Keyward as well.
        self.send("", 303, Location=fields["RelayState"], Set_Cookie=f"site={session}; Path=/; Secure; SameSite=None")

    def log_out(self, fields, binding, session):
        if "SAMLResponse" in fields:
            response = client.parse_logout_request_response(fields["SAMLResponse"], binding)
            client.handle_logout_response(response)
            self.end(session)
            self.page({"signedOut": True, "binding": binding.rsplit(":", 1)[1]})
        else:
            info = client.handle_logout_request(
                fields["SAMLRequest"],
                session and session["name_id"],
                binding,
                relay_state=fields.get("RelayState", ""),
                **sign,
            )
            self.end(session)
            self.send_info(info)

    def end(self, session):
        for key in [key for key, one in sessions.items() if one is session]:
            del sessions[key]

    def send_info(self, info):
        """Sends what pysaml2 has prepared: a redirect, or a page with a form."""
        headers = dict(info["headers"])
        if "Location" in headers:
            self.send("", 303, Location=headers["Location"])
        else:
            self.send("".join(info["data"]))

    def page(self, facts, status=200):
        self.send(f"<!doctype html><title>Site</title><link rel=icon href=data:,><pre>{json.dumps(facts)}</pre>", status)

    def send(self, text, status=200, content_type="text/html; charset=utf-8", **headers):
        self.send_response(status)
        self.send_header("Content-Type", content_type)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *_):
        pass


ThreadingHTTPServer(("127.0.0.1", port), Site).serve_forever()

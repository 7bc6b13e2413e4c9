import type { ClientSettings } from '../overview/env-file'
import { redirectPath, redirectPort } from './redirect-path'

export function python({ clientSecret, redirectUri, scopes }: ClientSettings): string {
  if (!redirectUri)
    return `# pip install authlib requests
# First, in the shell: set -a; . ./.env; set +a
import os
from authlib.integrations.requests_client import OAuth2Session

# A token for the application itself
session = OAuth2Session(os.environ["OIDC_CLIENT_ID"], os.environ["OIDC_CLIENT_SECRET"])
token = session.fetch_token(os.environ["OIDC_ISSUER"] + "/token", grant_type="client_credentials")
print(token)
`
  return `# pip install authlib flask requests, then: flask --app app run --port ${redirectPort(redirectUri)}
# First, in the shell: set -a; . ./.env; set +a
import os
from authlib.integrations.flask_client import OAuth
from flask import Flask

app = Flask(__name__)
app.secret_key = os.urandom(32)
oauth = OAuth(app)
oauth.register(
    name="keyward",
    client_id=os.environ["OIDC_CLIENT_ID"],${
      clientSecret
        ? `
    client_secret=os.environ["OIDC_CLIENT_SECRET"],`
        : ''
    }
    server_metadata_url=os.environ["OIDC_ISSUER"] + "/.well-known/openid-configuration",
    client_kwargs={
        "scope": "${scopes.join(' ')}",
        "code_challenge_method": "S256",${
          clientSecret
            ? ''
            : `
        "token_endpoint_auth_method": "none",`
        }
    },
)


@app.get("/login")
def login():
    return oauth.keyward.authorize_redirect(os.environ["OIDC_REDIRECT_URI"])


@app.get("${redirectPath(redirectUri)}")
def callback():
    token = oauth.keyward.authorize_access_token()
    return token["userinfo"]
`
}

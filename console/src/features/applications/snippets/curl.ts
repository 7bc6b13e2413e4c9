import type { ClientSettings } from '../overview/env-file'

export function curl({ clientSecret, redirectUri, scopes }: ClientSettings): string {
  if (!redirectUri)
    return `set -a; . ./.env; set +a

# A token for the application itself
curl "$OIDC_ISSUER/token" \\
  -u "$OIDC_CLIENT_ID:$OIDC_CLIENT_SECRET" \\
  -d grant_type=client_credentials
`
  const client = clientSecret ? '-u "$OIDC_CLIENT_ID:$OIDC_CLIENT_SECRET"' : '-d "client_id=$OIDC_CLIENT_ID"'
  return `set -a; . ./.env; set +a

# 1. PKCE code verifier and challenge
verifier=$(openssl rand -hex 32)
challenge=$(printf %s "$verifier" | openssl dgst -sha256 -binary | openssl base64 -A | tr '+/' '-_' | tr -d '=')
state=$(openssl rand -hex 16)

# 2. Open this URL in a browser and sign in
echo "$OIDC_ISSUER/authorize?response_type=code&client_id=$OIDC_CLIENT_ID\\
&redirect_uri=${encodeURIComponent(redirectUri)}&scope=${encodeURIComponent(scopes.join(' '))}\\
&state=$state&code_challenge=$challenge&code_challenge_method=S256"

# 3. Copy the value of code= from the callback URL
printf 'code: '; read -r code

# 4. Exchange the code for tokens
curl "$OIDC_ISSUER/token" \\
  ${client} \\
  -d grant_type=authorization_code \\
  --data-urlencode "code=$code" \\
  --data-urlencode "redirect_uri=$OIDC_REDIRECT_URI" \\
  -d "code_verifier=$verifier"
`
}

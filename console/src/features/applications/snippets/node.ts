import type { ClientSettings } from '../overview/env-file'
import { redirectPath, redirectPort } from './redirect-path'

export function node({ issuer, clientSecret, redirectUri, scopes }: ClientSettings): string {
  const auth = clientSecret ? 'client.ClientSecretBasic(OIDC_CLIENT_SECRET)' : 'client.None()'
  const names = ['OIDC_ISSUER', 'OIDC_CLIENT_ID']
  if (clientSecret) names.push('OIDC_CLIENT_SECRET')
  if (redirectUri) names.push('OIDC_REDIRECT_URI')
  const insecure = issuer.startsWith('http:')
    ? `, {
  execute: [client.allowInsecureRequests], // plain http, for local development only
}`
    : ''
  const config = `const { ${names.join(', ')} } = process.env
const config = await client.discovery(new URL(OIDC_ISSUER), OIDC_CLIENT_ID, undefined, ${auth}${insecure})`
  if (!redirectUri)
    return `// npm install openid-client && node --env-file=.env app.mjs
import * as client from 'openid-client'

${config}

// A token for the application itself
const tokens = await client.clientCredentialsGrant(config)
console.log(tokens)
`
  return `// npm install openid-client express express-session && node --env-file=.env app.mjs
import { randomUUID } from 'node:crypto'
import express from 'express'
import session from 'express-session'
import * as client from 'openid-client'

${config}

const app = express()
app.use(session({ secret: randomUUID(), resave: false, saveUninitialized: false }))

app.get('/login', async (request, response) => {
  const verifier = client.randomPKCECodeVerifier()
  const state = client.randomState()
  request.session.signIn = { verifier, state }
  const address = client.buildAuthorizationUrl(config, {
    redirect_uri: OIDC_REDIRECT_URI,
    scope: '${scopes.join(' ')}',
    state,
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  })
  response.redirect(address.href)
})

app.get('${redirectPath(redirectUri)}', async (request, response) => {
  const { verifier, state } = request.session.signIn
  const tokens = await client.authorizationCodeGrant(config, new URL(request.originalUrl, OIDC_REDIRECT_URI), {
    pkceCodeVerifier: verifier,
    expectedState: state,
  })
  response.json(tokens.claims())
})

app.listen(${redirectPort(redirectUri)}, () => console.log('Open http://localhost:${redirectPort(redirectUri)}/login'))
`
}

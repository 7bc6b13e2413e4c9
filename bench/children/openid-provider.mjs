// An OpenID provider that accepts every user: the code contains the claims to sign. Its processor time is not counted for the service.
import { createSign, generateKeyPairSync } from 'node:crypto'
import { createServer } from 'node:http'
import { serveParent } from './answer-parent.mjs'

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 })
const jwk = { ...publicKey.export({ format: 'jwk' }), kid: 'bench', use: 'sig' }
const encode = (value) => Buffer.from(JSON.stringify(value)).toString('base64url')

function idToken({ nonce, email }) {
  const now = Math.floor(Date.now() / 1_000)
  const claims = { iss: issuer(), aud: 'bench', sub: email, nonce, iat: now, exp: now + 300, auth_time: now }
  const profile = { email, email_verified: true, given_name: 'Ada', family_name: 'Lovelace' }
  const input = `${encode({ alg: 'RS256', kid: 'bench' })}.${encode({ ...claims, ...profile })}`
  return `${input}.${createSign('sha256').update(input).sign(privateKey).toString('base64url')}`
}

const endpoints = {
  '/.well-known/openid-configuration': () => ({
    issuer: issuer(),
    authorization_endpoint: `${issuer()}/authorize`,
    token_endpoint: `${issuer()}/token`,
    jwks_uri: `${issuer()}/keys`,
  }),
  '/keys': () => ({ keys: [jwk] }),
  '/token': (body) => {
    const code = new URLSearchParams(body).get('code')
    return {
      access_token: 'bench',
      token_type: 'Bearer',
      id_token: idToken(JSON.parse(Buffer.from(code, 'base64url'))),
    }
  },
}

const server = createServer(async (request, response) => {
  let body = ''
  for await (const chunk of request) body += chunk
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(endpoints[request.url](body)))
})
const issuer = () => `http://127.0.0.1:${server.address().port}`

server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }))
serveParent({ close: () => server.close() })

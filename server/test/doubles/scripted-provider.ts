import { createHash, type KeyObject, randomBytes, sign } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { nextRsaKeyPair } from '../harness/rsa-keys.mjs'

/** Deviations from a correct provider; a test sets and resets them. */
export interface Script {
  /** Additional claims of the ID token; `undefined` removes one. */
  claims?: Record<string, unknown>
  /** Additional header parameters. */
  header?: Record<string, unknown>
  /** Replaces the RS256 signature. */
  signature?: (input: string) => string
  /** Replaces the ID token. */
  idToken?: (input: { claims: Record<string, unknown>; sign(claims: object): string }) => unknown
  userinfo?: Record<string, unknown>
  discovery?: Record<string, unknown>
  keys?: unknown
  /** Replaces a response, by the path without its slash. */
  answers?: Partial<Record<'discovery' | 'keys' | 'token' | 'userinfo', (response: ServerResponse) => void>>
}

/** An OpenID provider that follows the rules (client secret, PKCE, single-use codes) except for its script. */
export interface ScriptedProvider {
  issuer: string
  clientId: string
  clientSecret: string
  script: Script
  /** The requested paths, in order. */
  asked: string[]
  /** All values sent to and returned by the token endpoint; they are secrets. */
  exchanged: string[]
  /** Signs the user in at the provider and returns the callback URL. */
  authorize(location: URL | string, claims?: Record<string, unknown>): URL
  /** Returns a JWT signed with the provider's key. */
  sign(claims: object, header?: object): string
  /** Changes the signing key, and its `kid` unless `sameId` is true. */
  rotate(sameId?: boolean): void
  close(): Promise<void>
}

interface Waiting {
  nonce: string | null
  challenge: string | null
  redirectUri: string | null
  claims: Record<string, unknown>
}

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** @param tls the certificate of `localhost`, to serve the provider over https */
export async function startScriptedProvider(tls?: { certificate: string; key: string }): Promise<ScriptedProvider> {
  const codes = new Map<string, Waiting>()
  const sessions = new Map<string, Waiting>()
  let key = newKey()

  const handle = (request: IncomingMessage, response: ServerResponse) => {
    const path = new URL(request.url ?? '/', 'http://x').pathname.replace(/^\//, '')
    const name = path === '.well-known/openid-configuration' ? 'discovery' : path
    provider.asked.push(name)
    const other = provider.script.answers?.[name as 'token']
    if (other) return void other(response)
    void answer(name, request, response)
  }
  const server = tls ? createTlsServer({ cert: tls.certificate, key: tls.key }, handle) : createServer(handle)

  async function answer(name: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (name === 'discovery') return json(response, { ...discovery(), ...provider.script.discovery })
    if (name === 'keys') return json(response, provider.script.keys ?? { keys: [key.jwk] })
    if (name === 'token') return exchange(request, response)
    const token = request.headers.authorization?.replace('Bearer ', '') ?? ''
    const session = sessions.get(token)
    if (!session) return json(response, { error: 'invalid_token' }, 401)
    return json(response, { sub: session.claims.sub, ...provider.script.userinfo })
  }

  const discovery = () => ({
    issuer: provider.issuer,
    authorization_endpoint: `${provider.issuer}/authorize?fixed=1`,
    token_endpoint: `${provider.issuer}/token`,
    userinfo_endpoint: `${provider.issuer}/userinfo`,
    jwks_uri: `${provider.issuer}/keys`,
  })

  async function exchange(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = ''
    for await (const chunk of request) body += chunk
    const form = new URLSearchParams(body)
    const basic = `Basic ${Buffer.from(`${provider.clientId}:${provider.clientSecret}`).toString('base64')}`
    if (request.headers.authorization !== basic) return json(response, { error: 'invalid_client' }, 401)
    const waiting = codes.get(form.get('code') ?? '')
    codes.delete(form.get('code') ?? '')
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    if (!waiting || waiting.challenge !== challenge || waiting.redirectUri !== form.get('redirect_uri'))
      return json(response, { error: 'invalid_grant' }, 400)
    const accessToken = randomBytes(24).toString('base64url')
    sessions.set(accessToken, waiting)
    const now = Math.floor(Date.now() / 1_000)
    const claims = {
      iss: provider.issuer,
      aud: provider.clientId,
      exp: now + 300,
      iat: now,
      ...(waiting.nonce && { nonce: waiting.nonce }),
      ...waiting.claims,
      ...provider.script.claims,
    }
    const sign = (content: object) => provider.sign(content)
    const idToken = provider.script.idToken ? provider.script.idToken({ claims, sign }) : sign(claims)
    provider.exchanged.push(form.get('code') ?? '', form.get('code_verifier') ?? '', accessToken, String(idToken))
    return json(response, { access_token: accessToken, token_type: 'Bearer', id_token: idToken })
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const provider: ScriptedProvider = {
    issuer: `${tls ? 'https://localhost' : 'http://127.0.0.1'}:${(server.address() as AddressInfo).port}`,
    clientId: 'keyward',
    clientSecret: randomBytes(24).toString('hex'),
    script: {},
    asked: [],
    exchanged: [],
    authorize(location, claims = {}) {
      const { searchParams: asked } = new URL(location)
      const code = randomBytes(16).toString('hex')
      codes.set(code, {
        nonce: asked.get('nonce'),
        challenge: asked.get('code_challenge'),
        redirectUri: asked.get('redirect_uri'),
        claims,
      })
      const callback = new URL(asked.get('redirect_uri') ?? '')
      callback.searchParams.set('code', code)
      callback.searchParams.set('state', asked.get('state') ?? '')
      return callback
    },
    sign(claims, header = {}) {
      const input = `${encode({ alg: 'RS256', kid: key.kid, ...header, ...provider.script.header })}.${encode(claims)}`
      return `${input}.${provider.script.signature?.(input) ?? sign('sha256', Buffer.from(input), key.privateKey).toString('base64url')}`
    },
    rotate(sameId = false) {
      key = newKey(sameId ? key.kid : undefined)
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return provider
}

function newKey(kid = randomBytes(6).toString('hex')): { kid: string; privateKey: KeyObject; jwk: object } {
  const { publicKey, privateKey } = nextRsaKeyPair()
  return { kid, privateKey, jwk: { ...publicKey.export({ format: 'jwk' }), kid, use: 'sig' } }
}

function json(response: ServerResponse, value: unknown, status = 200): void {
  // The runtime's own header does not follow the test clock.
  const date = new Date(Date.now()).toUTCString()
  response.writeHead(status, { 'content-type': 'application/json', date }).end(JSON.stringify(value))
}

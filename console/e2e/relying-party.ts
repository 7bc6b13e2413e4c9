import { createHash, randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** A third-party application, as a browser sees it: redirects users to sign in and shows the response. */
export interface RelyingParty {
  redirectUri: string
  signedOutUri: string
  /** the URL that starts a sign-in to `client` */
  signIn(client: Client, wishes?: Record<string, string>): string
  /** the fields of the last form that a browser posted to `redirectUri`, as a query string */
  posted(): URL
  /** exchanges the response for tokens */
  redeem(client: Client, backAt: string): Promise<Record<string, string>>
  stop(): Promise<void>
}

export interface Client {
  id: string
  issuer: string
  clientId: string
  clientSecret: string
}

export async function startRelyingParty(): Promise<RelyingParty> {
  let form = ''
  const server = createServer(async (request, response) => {
    if (request.method === 'POST') form = await text(request)
    response.setHeader('Content-Type', 'text/html; charset=utf-8')
    response.end(`<!doctype html><html lang="en"><title>Shop</title><link rel="icon" href="data:,"><h1>The shop</h1>
      <p>${request.url?.split('?')[0] === '/signed-out' ? 'signed out' : 'back'}</p>`)
  })
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))
  const { port } = server.address() as AddressInfo
  const redirectUri = `http://localhost:${port}/callback`
  const verifier = randomBytes(32).toString('base64url')

  return {
    redirectUri,
    signedOutUri: `http://localhost:${port}/signed-out`,
    signIn: ({ issuer, clientId }, wishes = {}) =>
      `${issuer}/authorize?${new URLSearchParams({
        response_type: 'code',
        client_id: clientId,
        redirect_uri: redirectUri,
        scope: 'openid email',
        state: 'the-state',
        code_challenge: createHash('sha256').update(verifier).digest('base64url'),
        code_challenge_method: 'S256',
        ...wishes,
      })}`,
    posted: () => new URL(`${redirectUri}?${form}`),
    async redeem({ issuer, clientId, clientSecret }, backAt) {
      const answer = await fetch(`${issuer}/token`, {
        method: 'POST',
        headers: { Authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}` },
        body: new URLSearchParams({
          grant_type: 'authorization_code',
          code: new URL(backAt).searchParams.get('code') ?? '',
          redirect_uri: redirectUri,
          code_verifier: verifier,
        }),
      })
      return (await answer.json()) as Record<string, string>
    },
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

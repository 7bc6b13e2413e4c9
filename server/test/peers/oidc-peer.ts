import { generateKeyPairSync, randomBytes } from 'node:crypto'
import Provider from 'oidc-provider'
import { openSiteBrowser, type Site, startSite } from '../harness/site.js'

/** A third-party identity provider with one signed-in user who consents to everything. */
export interface OidcPeer {
  issuer: string
  clientId: string
  clientSecret: string
  /** Registers a redirect URI of the client. */
  allow(redirectUri: string): void
  /** Follows a link to the provider and returns the redirect back. */
  authorize(location: URL): Promise<URL>
  close(): Promise<void>
}

/** @param person the claims of the user, with `sub` */
export async function startOidcPeer(person: { sub: string } & Record<string, unknown>): Promise<OidcPeer> {
  const client = { clientId: 'keyward', clientSecret: randomBytes(24).toString('hex') }
  const redirectUris: string[] = []
  let provider: Provider | undefined
  const site: Site = await startSite((url) => async (request, response) => {
    provider ??= makeProvider(url, client, redirectUris, person)
    const { pathname } = new URL(request.url ?? '/', url)
    if (!pathname.startsWith('/interaction/')) return void provider.callback()(request, response)
    const { prompt, params, grantId } = await provider.interactionDetails(request, response)
    if (prompt.name === 'login')
      return provider.interactionFinished(request, response, { login: { accountId: person.sub, amr: ['pwd', 'mfa'] } })
    const grant = grantId
      ? await provider.Grant.find(grantId)
      : new provider.Grant({ accountId: person.sub, clientId: String(params.client_id) })
    grant?.addOIDCScope(String(params.scope))
    return provider.interactionFinished(request, response, { consent: { grantId: (await grant?.save()) ?? '' } })
  })
  return {
    issuer: site.url,
    ...client,
    allow: (redirectUri) => void redirectUris.push(redirectUri),
    async authorize(location) {
      const browser = openSiteBrowser(site)
      let to = location
      while (to.origin === site.url) {
        const next = (await browser.visit(to)).headers.get('location')
        if (!next) throw new Error(`${to.pathname} does not redirect`)
        to = new URL(next, site.url)
      }
      return to
    },
    close: site.close,
  }
}

function makeProvider(
  issuer: string,
  { clientId, clientSecret }: { clientId: string; clientSecret: string },
  redirectUris: string[],
  person: { sub: string } & Record<string, unknown>,
): Provider {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const key = { ...privateKey.export({ format: 'jwk' }), kid: 'one', use: 'sig' }
  return new Provider(issuer, {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: redirectUris,
        id_token_signed_response_alg: 'ES256',
      },
    ],
    jwks: { keys: [key] },
    cookies: { keys: [randomBytes(16).toString('hex')] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['given_name', 'family_name'] },
    findAccount: (_context, sub) => ({ accountId: sub, claims: async () => person }),
    features: { devInteractions: { enabled: false } },
    ttl: { Interaction: 600, Session: 600, Grant: 600, AccessToken: 600, IdToken: 600, AuthorizationCode: 60 },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
  })
}

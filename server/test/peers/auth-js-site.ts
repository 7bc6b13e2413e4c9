import { randomBytes } from 'node:crypto'
import { Auth, type AuthConfig, customFetch } from '@auth/core'
import { fetchPublished } from '../factories/published-address.js'
import type { TestService } from '../harness/service.js'
import { asWebRequest, type Site, startSite } from '../harness/site.js'

export interface AuthJsSite extends Site {
  redirectUri: string
  /** The error types that Auth.js reported. */
  errors: string[]
  /** Sets the issuer. Called after the registration, which needs the URL of the site. */
  use(provider: { issuer: string; clientId: string; clientSecret: string }): void
}

/** The site of an application that signs users in with Auth.js. All of its paths are below `/auth`. */
export async function startAuthJsSite(service: TestService): Promise<AuthJsSite> {
  const errors: string[] = []
  const config: AuthConfig = {
    basePath: '/auth',
    secret: randomBytes(32).toString('hex'),
    trustHost: true,
    providers: [],
    logger: { error: (error) => void errors.push(error.name), warn: () => {}, debug: () => {} },
    callbacks: {
      jwt: ({ token, profile }) => (profile ? { ...token, sub: profile.sub as string } : token),
      session: ({ session, token }) => ({ ...session, user: { ...session.user, id: token.sub ?? '' } }),
    },
  }
  const site = await startSite((url) => async (request, response) => {
    const answer = await Auth(await asWebRequest(request, url), config)
    for (const [name, value] of answer.headers) if (name !== 'set-cookie') response.setHeader(name, value)
    response.setHeader('set-cookie', answer.headers.getSetCookie())
    response.writeHead(answer.status).end(Buffer.from(await answer.arrayBuffer()))
  })
  return {
    ...site,
    redirectUri: `${site.url}/auth/callback/keyward`,
    errors,
    use(provider) {
      config.providers = [
        {
          id: 'keyward',
          name: 'Keyward',
          type: 'oidc',
          checks: ['pkce', 'state', 'nonce'],
          [customFetch]: fetchPublished(service) as typeof fetch,
          ...provider,
        },
      ]
    },
  }
}

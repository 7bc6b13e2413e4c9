import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import passport from 'passport'
import { type Profile, Strategy } from 'passport-openidconnect'
import { PublishedAgent } from '../factories/published-address.js'
import type { TestService } from '../harness/service.js'
import { type Site, startSite } from '../harness/site.js'

export interface PassportSite extends Site {
  redirectUri: string
  /** The errors that the library reported. */
  errors: Error[]
  /** Sets the issuer. Called after the registration, which needs the URL of the site. */
  use(provider: { issuer: string; clientId: string; clientSecret: string }): void
}

/** A session with the methods that the library expects of the web framework. Each sign-in starts a new one. */
interface Session {
  regenerate(done: () => void): void
  save(done: () => void): void
}

type Handler = (request: object, response: ServerResponse, next: (error?: unknown) => void) => void

/**
 * The site of an application that signs users in with passport-openidconnect: `/login`, `/callback`, and `/me`, which returns the
 * signed-in user. The library is configured with each endpoint of the issuer, as its manual describes.
 */
export async function startPassportSite(service: TestService): Promise<PassportSite> {
  const errors: Error[] = []
  const sessions = new Map<string, Session>()
  const agent = new PublishedAgent(service)
  const library = new passport.Passport()
  library.serializeUser((profile, done) => done(null, profile))
  library.deserializeUser((profile: Profile, done) => done(null, profile))

  function handle(request: IncomingMessage, response: ServerResponse, url: string): void {
    const { pathname, searchParams } = new URL(request.url ?? '', url)
    const save = (done: () => void) => done()
    /** Adds the visitor's session, or a new one, to the request. */
    function open(id: string = randomUUID()): void {
      const regenerate = (done: () => void) => {
        sessions.delete(id)
        open()
        done()
      }
      const session: Session = Object.assign(sessions.get(id) ?? {}, { regenerate, save })
      sessions.set(id, session)
      response.setHeader('set-cookie', `session=${id}; Path=/; HttpOnly; SameSite=Lax`)
      Object.assign(request, { session })
    }
    open(/session=([^;]+)/.exec(request.headers.cookie ?? '')?.[1])
    Object.assign(request, { query: Object.fromEntries(searchParams) })
    const show = (status: number, body: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    const steps: Handler[] = [library.session()]
    if (pathname === '/login') steps.push(library.authenticate('openidconnect'))
    if (pathname === '/callback')
      steps.push(library.authenticate('openidconnect'), (_request, response) =>
        response.writeHead(302, { location: '/me' }).end(),
      )
    steps.push((request) => show(200, (request as { user?: unknown }).user ?? null))
    const step = (error?: unknown): void => {
      if (error) {
        errors.push(error as Error)
        show(500, null)
      } else steps.shift()?.(request, response, step)
    }
    step()
  }

  const site = await startSite((url) => (request, response) => handle(request, response, url))
  const redirectUri = `${site.url}/callback`
  return {
    ...site,
    redirectUri,
    errors,
    use({ issuer, clientId: clientID, clientSecret }) {
      library.use(
        new Strategy(
          {
            issuer,
            authorizationURL: `${issuer}/authorize`,
            tokenURL: `${issuer}/token`,
            userInfoURL: `${issuer}/userinfo`,
            clientID,
            clientSecret,
            callbackURL: redirectUri,
            scope: ['profile', 'email'],
            nonce: 'yes',
            skipUserProfile: false,
            agent,
          },
          (_issuer: string, profile: Profile, done: (error: null, profile: Profile) => void) => done(null, profile),
        ),
      )
    },
  }
}

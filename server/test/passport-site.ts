import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import passport from 'passport'
import { type Profile, Strategy } from 'passport-openidconnect'
import { PublishedAgent } from './published-address.js'
import type { TestService } from './service.js'
import { type Site, startSite } from './site.js'

export interface PassportSite extends Site {
  redirectUri: string
  /** What the library said of what went wrong. */
  errors: Error[]
  /** Says at whom the site signs people in. Comes after the registration, which wants the site's address. */
  use(provider: { issuer: string; clientId: string; clientSecret: string }): void
}

/** A session with what the library wants of it from the web framework: at each sign-in it begins anew. */
interface Session {
  regenerate(done: () => void): void
  save(done: () => void): void
}

type Handler = (request: object, response: ServerResponse, next: (error?: unknown) => void) => void

/**
 * The site of an application that signs its people in by passport-openidconnect: `/login`, `/callback`, and `/me`, which says who is
 * signed in. The library is told each address of the issuer, as its manual says.
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
    /** Gives the request a session: the visitor's, or a new one. */
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

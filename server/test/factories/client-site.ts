import { afterAll, beforeAll } from 'vitest'
import { issuerUrls, registerApp, type TestApp } from '../doubles/relying-party.js'
import { openBrowser } from '../harness/browser.js'
import { startService, type TestService } from '../harness/service.js'
import { openSiteBrowser, type Site, type SiteBrowser } from '../harness/site.js'
import { registerUser, type TestUser } from './factories.js'

/** A site with a client library that an independent author wrote. */
interface ClientSite extends Site {
  redirectUri: string
  errors: unknown[]
  use(client: { issuer: string; clientId: string; clientSecret: string }): void
}

/** Starts a service and a site whose users sign in with it, for the tests of a file. Its members can be read in tests only. */
export function serveClientSite<OfClient extends ClientSite>(start: (service: TestService) => Promise<OfClient>) {
  let service: TestService
  let user: TestUser
  let site: OfClient
  let registered: TestApp
  beforeAll(async () => {
    service = await startService()
    site = await start(service)
    user = await registerUser(service)
    registered = await registerApp(service, user, { redirectUris: [site.redirectUri] })
  })
  afterAll(async () => {
    await site.close()
    await service.close()
  })
  return {
    /** The application at each of its issuer URLs. */
    issuerUrls: issuerUrls(
      () => service,
      () => registered,
    ),
    get service() {
      return service
    },
    get user() {
      return user
    },
    get site() {
      return site
    },
    get app() {
      return registered
    },
    /** Configures the site for the client. Returns a new visitor of the site. */
    use({ issuer, clientId, secret = '' }: TestApp): SiteBrowser {
      site.use({ issuer, clientId, clientSecret: secret })
      site.errors.length = 0
      return openSiteBrowser(site)
    },
    /** Denies the consent of an authorization request. Returns the redirect to the site. */
    async denyConsent(request: URL): Promise<URL> {
      const browser = openBrowser(service, user)
      await browser.signIn()
      request.searchParams.set('prompt', 'consent')
      const page = new URL((await browser.visit(request.href)).headers.get('location') as string)
      const path = `${registered.idp}/interaction/${page.searchParams.get('uid')}/confirm`
      const { body } = await browser.call('POST', path, { consent: false })
      return new URL(body.redirectTo)
    },
    /** Signs the user in on our pages, in the same browser. Returns the redirect to the site. */
    async signIn(to: URL): Promise<URL> {
      const browser = openBrowser(service, user)
      return (await browser.follow(await browser.visit(to.href))).callback
    },
  }
}

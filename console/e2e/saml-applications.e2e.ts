import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { at, cannotRun, newPage, newVisitor, useBrowser } from './browser'
import { fillSignIn, heading, newAddress, signedIn, signIn, signOut } from './people'
import { type Program, registerProgram } from './programs'

useBrowser()

interface Site {
  url: string
  stop(): void
}

async function startSite(host: string, listen: RequestListener): Promise<Site> {
  const server = createServer(listen)
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://${host}:${port}`,
    stop() {
      server.closeAllConnections()
      server.close()
    },
  }
}

const page = (title: string, body: string) =>
  `<!doctype html><html lang="en"><title>${title}</title><link rel="icon" href="data:,"><body>${body}</body></html>`

describe.skipIf(cannotRun)('signing in to an application by SAML', () => {
  const email = newAddress('owner')
  let owner: Program
  let application: string
  /** The service provider is another site than ours, and its pages are another origin than the address that takes answers. */
  let provider: Site
  let home: Site
  const posted: URLSearchParams[] = []
  /** What it was told by the browser about sign-outs. */
  const signOuts: URLSearchParams[] = []

  function requestXml() {
    return `<samlp:AuthnRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="_r${posted.length}" Version="2.0" IssueInstant="${new Date().toISOString()}"><saml:Issuer>urn:payroll</saml:Issuer></samlp:AuthnRequest>`
  }

  const said = (message: string) => deflateRawSync(message).toString('base64')

  function logoutXml(kind: 'Request' | 'Response', attributes: string, inside: string) {
    return `<samlp:Logout${kind} xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="_l${Date.now()}" Version="2.0" IssueInstant="${new Date().toISOString()}"${attributes}><saml:Issuer>urn:payroll</saml:Issuer>${inside}</samlp:Logout${kind}>`
  }

  /** Where the service provider sends the browser to sign out, and what it answers when it is told of a sign-out. */
  function signOutHere(query: URLSearchParams): string {
    const slo = at(`/api/v1/sso/saml-idp/${application}/slo`)
    if (query.size === 0) {
      const name = `<saml:NameID Format="urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress">${email}</saml:NameID>`
      return `${slo}?${new URLSearchParams({ SAMLRequest: said(logoutXml('Request', '', name)) })}`
    }
    signOuts.push(query)
    if (query.has('SAMLResponse')) return home.url
    const request = inflateRawSync(Buffer.from(query.get('SAMLRequest') ?? '', 'base64')).toString()
    const status = `<samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></samlp:Status>`
    const xml = logoutXml('Response', ` InResponseTo="${/ ID="([^"]+)"/.exec(request)?.[1]}"`, status)
    return `${slo}?${new URLSearchParams({ SAMLResponse: said(xml), RelayState: query.get('RelayState') ?? '' })}`
  }

  beforeAll(async () => {
    home = await startSite('localhost', (_request, response) => {
      response.setHeader('Content-Type', 'text/html; charset=utf-8')
      response.end(page('Payroll', '<h1>Welcome to payroll</h1>'))
    })
    provider = await startSite('127.0.0.1', async (request, response) => {
      const sso = at(`/api/v1/sso/saml-idp/${application}/sso`)
      if (request.method === 'POST') {
        const chunks: Buffer[] = []
        for await (const chunk of request) chunks.push(chunk as Buffer)
        posted.push(new URLSearchParams(Buffer.concat(chunks).toString()))
        response.writeHead(303, { Location: home.url }).end()
      } else if (request.url?.startsWith('/slo')) {
        const { searchParams } = new URL(request.url, provider.url)
        response.writeHead(302, { Location: signOutHere(searchParams) }).end()
      } else if (request.url === '/by-post') {
        const value = Buffer.from(requestXml()).toString('base64')
        response.setHeader('Content-Type', 'text/html; charset=utf-8')
        response.end(
          page(
            'Payroll',
            `<form method="post" action="${sso}"><input type="hidden" name="SAMLRequest" value="${value}"><button>Sign in</button></form>`,
          ),
        )
      } else {
        const query = new URLSearchParams({
          SAMLRequest: deflateRawSync(requestXml()).toString('base64'),
          RelayState: 'deep & "quoted" <link>',
        })
        response.writeHead(302, { Location: `${sso}?${query}` }).end()
      }
    })
    owner = await registerProgram(email)
    const made = await owner.post('/applications', {
      name: 'Payroll',
      type: 'SAML',
      samlSpEntityId: 'urn:payroll',
      samlSpAcsUrl: `${provider.url}/acs`,
      samlSpSloUrl: `${provider.url}/slo`,
    })
    application = String(made.id)
  })
  afterAll(() => {
    provider?.stop()
    home?.stop()
  })

  const answered = () => Buffer.from(posted.at(-1)?.get('SAMLResponse') ?? '', 'base64').toString()

  it('posts the answer by itself, and the application goes on to wherever it wants', async () => {
    const visitor = await newPage()
    await signIn(visitor, email)
    await signedIn(visitor)
    await visitor.goto(provider.url)
    await visitor.waitForURL(`${home.url}/`)
    expect(posted.at(-1)?.get('RelayState')).toBe('deep & "quoted" <link>')
    expect(answered()).toContain(email)
  })

  it('answers a request that is posted from another site without a sign-in page', async () => {
    const visitor = await newPage()
    await signIn(visitor, email)
    await signedIn(visitor)
    const before = posted.length
    const shown: string[] = []
    await visitor.goto(`${provider.url}/by-post`)
    visitor.on('framenavigated', (frame) => shown.push(new URL(frame.url()).pathname))
    await visitor.getByRole('button', { name: 'Sign in' }).click()
    await visitor.waitForURL(`${home.url}/`)
    expect(posted).toHaveLength(before + 1)
    expect(shown).not.toContain('/login')
    expect(answered()).toContain(email)
  })

  it('takes whoever signs out here through the application, and back', async () => {
    const visitor = await newPage()
    await signIn(visitor, email)
    await signedIn(visitor)
    await visitor.goto(provider.url)
    await visitor.waitForURL(`${home.url}/`)
    const before = signOuts.length
    await visitor.goto(at('/account'))
    await signOut(visitor)
    await heading(visitor, 'You are signed out').waitFor()
    expect(signOuts.slice(before).map((query) => query.has('SAMLRequest'))).toEqual([true])
    expect(await visitor.getByText('Somewhere else you may still be signed in').count()).toBe(0)
  })

  it('asks before an application that signs nothing ends the session, and goes back to it', async () => {
    const visitor = await newPage()
    await signIn(visitor, email)
    await signedIn(visitor)
    await visitor.goto(provider.url)
    await visitor.waitForURL(`${home.url}/`)
    await visitor.goto(`${provider.url}/slo`)
    await visitor.getByText('Payroll asks for it.').waitFor()
    await visitor.getByRole('button', { name: 'Sign out', exact: true }).click()
    await visitor.waitForURL(`${home.url}/`)
    expect(signOuts.at(-1)?.has('SAMLResponse')).toBe(true)
    await visitor.goto(at('/account'))
    await heading(visitor, 'Sign in').waitFor()
  })

  it('says why it cannot go on in a browser that keeps no cookie of the sign-in, instead of asking for ever', async () => {
    const visitor = await newPage()
    await visitor.route(/\/sso\?resume=/, async (route) => {
      await visitor.context().clearCookies({ name: /keyward_sso/ })
      await route.continue()
    })
    await visitor.goto(provider.url)
    await fillSignIn(visitor, email)
    await visitor.getByText('Allow cookies for this address').waitFor()
  })

  it('needs one click in a browser without scripts', async () => {
    const first = await newPage()
    await signIn(first, email)
    await signedIn(first)
    const visitor = await newVisitor({ javaScriptEnabled: false, storageState: await first.context().storageState() })
    const plain = await visitor.newPage()
    await plain.goto(provider.url)
    await plain.getByRole('button', { name: 'Continue' }).click()
    await plain.waitForURL(`${home.url}/`)
    expect(answered()).toContain(email)
  })
})

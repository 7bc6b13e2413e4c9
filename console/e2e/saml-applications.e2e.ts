import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { deflateRawSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { at, cannotRun, newPage, newVisitor, useBrowser } from './browser'
import { newAddress, signedIn, signIn } from './people'
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

  function requestXml() {
    return `<samlp:AuthnRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="_r${posted.length}" Version="2.0" IssueInstant="${new Date().toISOString()}"><saml:Issuer>urn:payroll</saml:Issuer></samlp:AuthnRequest>`
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

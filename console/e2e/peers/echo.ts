import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'

/** The program behind an Apache: it shows the received headers, and has no access control. */
export interface Echo {
  url: string
  stop(): Promise<void>
}

export async function startEcho(): Promise<Echo> {
  const server = createServer((request, response) => {
    response.setHeader('Content-Type', 'text/html; charset=utf-8')
    const shown = JSON.stringify(request.headers).replace(/[<&]/g, (sign) => `&#${sign.charCodeAt(0)};`)
    response.end(`<!doctype html><html lang="en"><title>Intranet</title><link rel="icon" href="data:,">
      <h1>Intranet</h1><p>${request.url}</p><pre>${shown}</pre>`)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Returns the headers that the program received for the current page. Apache writes UTF-8, which Node decodes as Latin-1. */
export async function headersShown(page: Page): Promise<IncomingHttpHeaders> {
  await page.getByRole('heading', { level: 1, name: 'Intranet', exact: true }).waitFor()
  const text = (await page.locator('pre').textContent()) ?? ''
  return JSON.parse(Buffer.from(text, 'latin1').toString('utf8')) as IncomingHttpHeaders
}

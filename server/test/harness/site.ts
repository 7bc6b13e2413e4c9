import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The website of an application. */
export interface Site {
  url: string
  close(): Promise<void>
}

/** Starts a website. @param listen creates the request listener for the URL of the site */
export async function startSite(listen: (url: string) => RequestListener): Promise<Site> {
  const server = createServer()
  server.listen(0, 'localhost')
  await once(server, 'listening')
  const url = `http://localhost:${(server.address() as AddressInfo).port}`
  server.on('request', listen(url))
  return {
    url,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Converts a Node request to a web standard `Request`. */
export async function asWebRequest(request: IncomingMessage, url: string): Promise<Request> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers)) if (value !== undefined) headers.set(name, String(value))
  const body = request.method === 'POST' ? { body: Buffer.concat(chunks) } : {}
  return new Request(`${url}${request.url}`, { method: request.method ?? 'GET', headers, ...body })
}

/** A browser at a site. It stores the cookies of the site and follows no redirects. */
export interface SiteBrowser {
  /** Requests a URL or a path. */
  visit(target: string | URL): Promise<Response>
  /** Posts an HTML form. */
  submit(target: string, form: Record<string, string>): Promise<Response>
  /** Requests a URL or a path and parses the response as JSON. */
  json<T>(target: string): Promise<T>
}

/** Returns a browser without cookies. */
export function openSiteBrowser({ url }: Pick<Site, 'url'>): SiteBrowser {
  const cookies = new Map<string, string>()
  async function request(target: string | URL, init: RequestInit = {}): Promise<Response> {
    const requested = new URL(target, url)
    if (requested.origin !== url) throw new Error(`${requested} is not a URL of the site`)
    const cookie = [...cookies].map((pair) => pair.join('=')).join('; ')
    const response = await fetch(requested, { redirect: 'manual', ...init, headers: { cookie } })
    for (const line of response.headers.getSetCookie()) {
      const [pair = '', ...attributes] = line.split('; ')
      const at = pair.indexOf('=')
      const [name, value] = [pair.slice(0, at), pair.slice(at + 1)]
      if (value === '' || attributes.includes('Max-Age=0')) cookies.delete(name)
      else cookies.set(name, value)
    }
    return response
  }
  return {
    visit: request,
    submit: (target, form) => request(target, { method: 'POST', body: new URLSearchParams(form) }),
    json: async <T>(target: string) => (await (await request(target)).json()) as T,
  }
}

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

/** A user's browser at a site. It stores the cookies of the site and follows no redirects. */
export interface Visitor {
  visit(address: string | URL): Promise<Response>
  submit(address: string, form: Record<string, string>): Promise<Response>
  json<T>(address: string): Promise<T>
}

export function visitorOf({ url }: Pick<Site, 'url'>): Visitor {
  const cookies = new Map<string, string>()
  async function send(address: string | URL, init: RequestInit = {}): Promise<Response> {
    const to = new URL(address, url)
    if (to.origin !== url) throw new Error(`${to} does not belong to the site`)
    const cookie = [...cookies].map((pair) => pair.join('=')).join('; ')
    const answer = await fetch(to, { redirect: 'manual', ...init, headers: { cookie } })
    for (const line of answer.headers.getSetCookie()) {
      const [pair = '', ...attributes] = line.split('; ')
      const at = pair.indexOf('=')
      const [name, value] = [pair.slice(0, at), pair.slice(at + 1)]
      if (value === '' || attributes.includes('Max-Age=0')) cookies.delete(name)
      else cookies.set(name, value)
    }
    return answer
  }
  return {
    visit: send,
    submit: (address, form) => send(address, { method: 'POST', body: new URLSearchParams(form) }),
    json: async <T>(address: string) => (await (await send(address)).json()) as T,
  }
}

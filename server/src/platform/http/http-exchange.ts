import type { FastifyReply, FastifyRequest } from 'fastify'
import { rejection } from '../errors.js'

export interface CookieOptions {
  /** `none` is sent from other sites too; browsers accept it on https only. */
  sameSite: 'strict' | 'lax' | 'none'
  /** Seconds; omitted for a session cookie. */
  maxAge?: number
}

/** The parts of HTTP that a handler can read and set beside its declared input and its response. */
export interface HttpExchange {
  header(name: string): string | undefined
  cookie(name: string): string | undefined
  /** Sets HttpOnly, Path=/, and on https Secure and the prefix `__Host-` (RFC 6265bis 4.1.3.2). */
  setCookie(name: string, value: string, options: CookieOptions): void
  clearCookie(name: string, sameSite: CookieOptions['sameSite']): void
  setHeader(name: string, value: string): void
  status(code: number): void
  /** 302, or 303 after a form. */
  redirect(url: string, status?: 302 | 303): void
  /** The request comes from the own pages and uses cookies: header `X-Keyward-Console: 1` and own `Origin`. */
  readonly isFromConsole: boolean
  /** The service is served by https: only then are there cookies for requests from other sites. */
  readonly secure: boolean
  /** The client is no browser (no `Origin`), or a browser on the own pages. */
  readonly ownOrigin: boolean
}

const single = (value: string | string[] | undefined): string | undefined => (Array.isArray(value) ? value[0] : value)

/**
 * @param frontendOrigin origin of FRONTEND_URL, the only one whose pages can use cookies
 * @throws foreign_origin if a page of another origin requests cookie mode
 */
export function httpExchange(
  request: FastifyRequest,
  reply: FastifyReply,
  { frontendOrigin, secure }: { frontendOrigin: string; secure: boolean },
): HttpExchange {
  const cookieName = (name: string) => (secure ? `__Host-${name}` : name)
  const { origin } = request.headers
  const fetchSite = single(request.headers['sec-fetch-site'])
  const ownOrigin = origin === undefined || origin === frontendOrigin
  return {
    header: (name) => single(request.headers[name]),
    cookie: (name) => request.cookies[cookieName(name)] || undefined,
    setCookie: (name, value, { sameSite, maxAge }) =>
      void reply.setCookie(cookieName(name), value, {
        path: '/',
        httpOnly: true,
        secure,
        sameSite,
        ...(maxAge !== undefined && { maxAge }),
      }),
    clearCookie: (name, sameSite) =>
      void reply.setCookie(cookieName(name), '', { path: '/', httpOnly: true, secure, sameSite, maxAge: 0 }),
    setHeader: (name, value) => void reply.header(name, value),
    status: (code) => void reply.code(code),
    redirect: (url, status = 302) => void reply.redirect(url, status),
    isFromConsole: isFromConsole(request, frontendOrigin),
    secure,
    ownOrigin: ownOrigin && fetchSite !== 'cross-site',
  }
}

/**
 * Returns whether the request uses cookie mode. Runs before the handler: a page of another site that sends the header is
 * rejected before a token is used or anything changes. Browsers send no `Origin` with same-origin GET requests.
 */
function isFromConsole(request: FastifyRequest, frontendOrigin: string): boolean {
  if (request.headers['x-keyward-console'] !== '1' || request.method === 'GET' || request.method === 'HEAD')
    return false
  const fetchSite = single(request.headers['sec-fetch-site'])
  const sameSite = fetchSite === undefined || fetchSite === 'same-origin' || fetchSite === 'same-site'
  if (request.headers.origin !== frontendOrigin || !sameSite) throw rejection('foreign_origin')
  return true
}

import type { FastifyReply, FastifyRequest } from 'fastify'
import { rejection } from '../errors.js'

export interface CookieOptions {
  /** `none` is sent from other sites too, and taken by browsers on https alone. */
  sameSite: 'strict' | 'lax' | 'none'
  /** Seconds; left out for a cookie that ends with the browser. */
  maxAge?: number
}

/** What a handler may see and set of HTTP beyond its declared input and its answer. */
export interface HttpExchange {
  header(name: string): string | undefined
  cookie(name: string): string | undefined
  /** HttpOnly, Path=/, Secure on https; the name gets the prefix `__Host-` there (RFC 6265bis 4.1.3.2). */
  setCookie(name: string, value: string, options: CookieOptions): void
  clearCookie(name: string, sameSite: CookieOptions['sameSite']): void
  setHeader(name: string, value: string): void
  status(code: number): void
  /** 302, or 303 after a form. */
  redirect(url: string, status?: 302 | 303): void
  /** The request comes from our own pages and wants cookies: the header `X-Keyward-Console: 1` and our own `Origin`. */
  readonly consoleMode: boolean
  /** The service is reached by https: cookies for requests of other sites exist there alone. */
  readonly secure: boolean
  /** No browser (no `Origin`), or a browser on our own pages. */
  readonly ownOrigin: boolean
}

const single = (value: string | string[] | undefined): string | undefined => (Array.isArray(value) ? value[0] : value)

/**
 * @param frontendOrigin origin of FRONTEND_URL, the only one whose pages may have cookies set
 * @throws foreign_origin when cookie mode is asked for from another origin
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
    consoleMode: asksForCookies(request, frontendOrigin),
    secure,
    ownOrigin: ownOrigin && fetchSite !== 'cross-site',
  }
}

/**
 * Whether our own pages ask, who want cookies. Judged before the route does anything: a page of another site that sends the
 * header is refused, and nothing was used up or changed. A browser names no origin when it reads from its own.
 */
function asksForCookies(request: FastifyRequest, frontendOrigin: string): boolean {
  if (request.headers['x-keyward-console'] !== '1' || request.method === 'GET' || request.method === 'HEAD')
    return false
  const fetchSite = single(request.headers['sec-fetch-site'])
  const sameSite = fetchSite === undefined || fetchSite === 'same-origin' || fetchSite === 'same-site'
  if (request.headers.origin !== frontendOrigin || !sameSite) throw rejection('foreign_origin')
  return true
}

import Type from 'typebox'
import type { Chapter } from '../../../platform/http/chapters.js'
import type { HttpExchange } from '../../../platform/http/http-exchange.js'
import { defineRoute, type Route } from '../../../platform/http/route.js'
import type { Client } from './client.js'

/** What needs no cookie and no secret may be read by pages of any site. */
export const allowAnyOrigin = (http: HttpExchange): void => http.setHeader('access-control-allow-origin', '*')

/**
 * The header by which a page of a public client may read the answer of the token endpoint: only on the sites to which the client
 * is registered to be sent back. A client that has a secret has no business in a page.
 */
export function corsOf(client: Client, origin: string | undefined): Record<string, string> {
  // `null` is what files and sandboxed frames of anybody are, and what the address of an installed app has for an origin.
  if (!origin || origin === 'null' || !client.isPublicClient) return {}
  const own = client.redirectUris.some((uri) => URL.canParse(uri) && new URL(uri).origin === origin)
  return own
    ? {
        'access-control-allow-origin': origin,
        'access-control-expose-headers': 'dpop-nonce, www-authenticate',
        vary: 'origin',
      }
    : {}
}

/** Answers the question that a browser asks before it sends a header of the page's choice to another site. */
export const preflight = (path: string, params: Type.TObject | undefined, tag: Chapter): Route =>
  defineRoute({
    method: 'OPTIONS',
    path,
    permission: 'public',
    tag,
    summary: 'CORS preflight',
    dialect: 'oauth',
    ...(params && { params }),
    responses: { 204: Type.Null({ description: 'Which headers may be sent' }) },
    handle: ({ http }) => {
      allowAnyOrigin(http)
      http.setHeader('access-control-allow-methods', 'GET, POST')
      http.setHeader('access-control-allow-headers', 'authorization, content-type, dpop')
      http.setHeader('access-control-max-age', '3600')
      return null
    },
  }) as Route

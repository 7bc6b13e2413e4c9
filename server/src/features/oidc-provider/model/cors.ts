import Type from 'typebox'
import type { HttpExchange } from '../../../platform/http/http-exchange.js'
import type { Chapter } from '../../../platform/http/openapi/chapters.js'
import { defineRoute, type Route } from '../../../platform/http/route.js'
import type { Client } from './client.js'

/** Allows pages of any site to read the response. For responses that require neither a cookie nor a secret. */
export const allowAnyOrigin = (http: HttpExchange): void => http.setHeader('access-control-allow-origin', '*')

/**
 * Returns the CORS headers of the token endpoint: a page may read the response if its origin is that of a redirect URI of a public
 * client. A confidential client must not run in a page.
 */
export function corsOf(client: Client, origin: string | undefined): Record<string, string> {
  // Local files, sandboxed frames and redirect URIs with a custom scheme all have the origin `null`.
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

/** Creates the route for CORS preflight requests to a path. */
export const preflight = (path: string, params: Type.TObject | undefined, tag: Chapter): Route =>
  defineRoute({
    method: 'OPTIONS',
    path,
    permission: 'public',
    tag,
    summary: 'CORS preflight',
    dialect: 'oauth',
    ...(params && { params }),
    responses: { 204: Type.Null({ description: 'The allowed methods and headers' }) },
    handle: ({ http }) => {
      allowAnyOrigin(http)
      http.setHeader('access-control-allow-methods', 'GET, POST')
      http.setHeader('access-control-allow-headers', 'authorization, content-type, dpop')
      http.setHeader('access-control-max-age', '3600')
      return null
    },
  }) as Route

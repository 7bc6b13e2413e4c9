declare const issuer: unique symbol

/** The URL of an identity provider of this service, without a trailing slash. Only `parseIssuer` and `issuerOf` create one. */
export type Issuer = string & { readonly [issuer]: true }

const base = '/api/v1/sso/oidc-idp/'

/**
 * Validates an issuer from a URL that anyone can create: calls to it carry the user's token.
 * @param service the URL of the service, such as `https://id.example`
 * @returns the issuer, or null if it is not an identity provider of this service
 */
export function parseIssuer(text: string, service: string): Issuer | null {
  let url: URL
  try {
    url = new URL(text)
  } catch {
    return null
  }
  if (url.username || url.password || url.search || url.hash) return null
  // One or two IDs, of a team and of an application. The parser has resolved dot segments.
  const address = url.origin + url.pathname
  const start = service + base
  if (!address.startsWith(start) || !/^[\w-]{1,64}(\/[\w-]{1,64})?$/.test(address.slice(start.length))) return null
  return address as Issuer
}

/** The issuer in the settings of an application. */
export function issuerOf(application: { id: string; teamId: string }, service: string): Issuer {
  return `${service}${base}${application.teamId}/${application.id}` as Issuer
}

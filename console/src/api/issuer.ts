declare const issuer: unique symbol

/** The URL of an identity provider of this service, without a slash at its end. Only `judgeIssuer` and `issuerOf` make one. */
export type Issuer = string & { readonly [issuer]: true }

const base = '/api/v1/sso/oidc-idp/'

/**
 * An issuer as it stands in an address that anybody may have written: calls to it carry the visitor's token.
 * @param service where the service answers, as `https://id.example`
 * @returns it, or null for everything that is not an identity provider of this very service
 */
export function judgeIssuer(text: string, service: string): Issuer | null {
  let url: URL
  try {
    url = new URL(text)
  } catch {
    return null
  }
  if (url.username || url.password || url.search || url.hash) return null
  // One id (a team's or an application's) or both. The parser has resolved dots by now, so the path is what it looks like.
  const address = url.origin + url.pathname
  const start = service + base
  if (!address.startsWith(start) || !/^[\w-]{1,64}(\/[\w-]{1,64})?$/.test(address.slice(start.length))) return null
  return address as Issuer
}

/** The issuer that an application's own settings name. */
export function issuerOf(application: { id: string; teamId: string }, service: string): Issuer {
  return `${service}${base}${application.teamId}/${application.id}` as Issuer
}

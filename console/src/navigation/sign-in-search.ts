import { type Issuer, parseIssuer } from '../api/issuer'
import { serviceAddress } from '../api/service-address'
import { safeReturn } from './return-to'
import { type ReturnToSearch, returnToSearch } from './return-to-search'

/**
 * The destination of a sign-in: a page of the console, or the application that requested it (`uid` at the issuer `idp`; for SAML, `saml`
 * is `{application}:{request}`).
 */
export interface SignInSearch extends ReturnToSearch {
  uid?: string | undefined
  idp?: string | undefined
  saml?: string | undefined
  /** shows the form despite a session: the application requires a fresh sign-in */
  fresh?: true | undefined
}

/** The request of an application that waits for a sign-in or a consent. */
export interface SignInRequest {
  uid: string
  idp: Issuer
}

/** The request of a SAML application. */
export interface SamlRequest {
  appId: string
  id: string
}

/** Reads the query as is; `requestOf` and `samlRequestOf` validate it. */
export function signInSearch(search: Record<string, unknown>): SignInSearch {
  const { uid, idp, saml } = search
  return {
    ...returnToSearch(search),
    // The router parses numbers.
    ...(uid !== undefined && { uid: String(uid) }),
    ...(idp !== undefined && { idp: String(idp) }),
    ...(saml !== undefined && { saml: String(saml) }),
    ...(search.fresh !== undefined && { fresh: true }),
  }
}

/** @returns the request, undefined without one, null if it does not belong to this service */
export function requestOf({ uid, idp }: SignInSearch, service = serviceAddress()): SignInRequest | undefined | null {
  if (uid === undefined && idp === undefined) return undefined
  const issuer = idp && parseIssuer(idp, service)
  return uid && issuer ? { uid, idp: issuer } : null
}

const samlRequest = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}):([\w-]{20,100})$/

/** @returns the request, undefined without one, null if it is malformed */
export function samlRequestOf({ saml }: SignInSearch): SamlRequest | undefined | null {
  if (saml === undefined) return undefined
  const [, appId, id] = samlRequest.exec(saml) ?? []
  return appId && id ? { appId, id } : null
}

/**
 * The URL at which the service continues with a pending request of a signed-in user. Built from two validated values, never from a URL in
 * the query.
 */
export function resumeHref({ appId, id }: SamlRequest, service = serviceAddress()): string {
  return `${service}/api/v1/sso/saml-idp/${appId}/sso?resume=${id}&returned=true`
}

/** The path after the sign-in; `safeReturn` must validate it, because it may come from the query. */
export function afterSignIn(search: SignInSearch, service = serviceAddress()): string | undefined {
  if (samlRequestOf(search)) return `/consent?${new URLSearchParams({ saml: String(search.saml) })}`
  const request = requestOf(search, service)
  return request ? `/consent?${new URLSearchParams({ ...request })}` : search.returnTo
}

/** The `returnTo` of another sign-in that leads to the same destination. */
export function returnFrom(search: SignInSearch, service = serviceAddress()): string | undefined {
  const saml = samlRequestOf(search)
  if (saml) return samlSignInHref(saml)
  const request = requestOf(search, service)
  return request ? signInHref(request) : search.returnTo
}

/** The page that confirms that single sign-on replaces the current session; open it as a new document. */
export function replacementHref(search: SignInSearch): string {
  const returnTo = returnFrom(search)
  return `/auth/sso/callback?${new URLSearchParams({ pending: '1', ...(returnTo && { returnTo }) })}`
}

/** The destination of a sign-in that started with `returnTo`: the query of the sign-in page, if it started there. */
export function searchOfReturn(returnTo: string | undefined): SignInSearch {
  const path = safeReturn(returnTo)
  const { pathname, searchParams } = new URL(path, 'https://page.invalid')
  if (pathname !== '/login') return path === '/' ? {} : { returnTo: path }
  const { fresh: _, ...search } = signInSearch(Object.fromEntries(searchParams))
  return search
}

/**
 * The sign-in page of `request`; open it as a new document, which knows the application's name and logo.
 * @param fresh shows the form despite a session
 */
export function signInHref(request: SignInRequest, { fresh = false } = {}): string {
  return `/login?${new URLSearchParams({ ...request, ...(fresh && { fresh: 'true' }) })}`
}

/** Like `signInHref`, for a SAML request. */
export function samlSignInHref({ appId, id }: SamlRequest, { fresh = false } = {}): string {
  return `/login?${new URLSearchParams({ saml: `${appId}:${id}`, ...(fresh && { fresh: 'true' }) })}`
}

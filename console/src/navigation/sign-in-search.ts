import { type Issuer, judgeIssuer } from '../api/issuer'
import { serviceAddress } from '../api/service-address'
import { safeReturn } from './return-to'
import { type ReturnToSearch, returnToSearch } from './return-to-search'

/**
 * Where a sign-in leads: to a page of ours, or back to the application that asked for it (`uid` at the issuer `idp`, or by SAML:
 * `saml` is `{application}:{request}`).
 */
export interface SignInSearch extends ReturnToSearch {
  uid?: string | undefined
  idp?: string | undefined
  saml?: string | undefined
  /** the form is wanted although there is a session: the application asks for a fresh sign-in */
  fresh?: true | undefined
}

/** The request of an application that waits for a sign-in or a consent. */
export interface SignInRequest {
  uid: string
  idp: Issuer
}

/** The request of an application that speaks SAML. */
export interface SamlRequest {
  appId: string
  id: string
}

/** Takes the query as it is written; `requestOf` and `samlRequestOf` judge it. */
export function signInSearch(search: Record<string, unknown>): SignInSearch {
  const { uid, idp, saml } = search
  return {
    ...returnToSearch(search),
    // The router reads numbers as such.
    ...(uid !== undefined && { uid: String(uid) }),
    ...(idp !== undefined && { idp: String(idp) }),
    ...(saml !== undefined && { saml: String(saml) }),
    ...(search.fresh !== undefined && { fresh: true }),
  }
}

/** @returns the request, undefined where the query names none, null where what it names is none of this service */
export function requestOf({ uid, idp }: SignInSearch, service = serviceAddress()): SignInRequest | undefined | null {
  if (uid === undefined && idp === undefined) return undefined
  const issuer = idp && judgeIssuer(idp, service)
  return uid && issuer ? { uid, idp: issuer } : null
}

const samlRequest = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}):([\w-]{20,100})$/

/** @returns the request, undefined where the query names none, null where what it names cannot be one */
export function samlRequestOf({ saml }: SignInSearch): SamlRequest | undefined | null {
  if (saml === undefined) return undefined
  const [, appId, id] = samlRequest.exec(saml) ?? []
  return appId && id ? { appId, id } : null
}

/**
 * Where the service goes on with a request that waits there, for somebody whom it has seen signed in. Made of two judged values, never of an
 * address that somebody wrote.
 */
export function resumeHref({ appId, id }: SamlRequest, service = serviceAddress()): string {
  return `${service}/api/v1/sso/saml-idp/${appId}/sso?resume=${id}&returned=true`
}

/** The path to go to when somebody is signed in; still to be judged by `safeReturn`, as it may be what the query says. */
export function afterSignIn(search: SignInSearch, service = serviceAddress()): string | undefined {
  if (samlRequestOf(search)) return `/consent?${new URLSearchParams({ saml: String(search.saml) })}`
  const request = requestOf(search, service)
  return request ? `/consent?${new URLSearchParams({ ...request })}` : search.returnTo
}

/** What a sign-in elsewhere brings along as its `returnTo`, so that it leads where this one would. */
export function returnFrom(search: SignInSearch, service = serviceAddress()): string | undefined {
  const saml = samlRequestOf(search)
  if (saml) return samlSignInHref(saml)
  const request = requestOf(search, service)
  return request ? signInHref(request) : search.returnTo
}

/** Where the user confirms that a sign-in by a provider replaces the session of this browser; to be opened as a new document. */
export function replacementHref(search: SignInSearch): string {
  const returnTo = returnFrom(search)
  return `/auth/sso/callback?${new URLSearchParams({ pending: '1', ...(returnTo && { returnTo }) })}`
}

/** Where a sign-in leads that began with `returnTo`: the query of the sign-in page, if that is where it came from. */
export function searchOfReturn(returnTo: string | undefined): SignInSearch {
  const path = safeReturn(returnTo)
  const { pathname, searchParams } = new URL(path, 'https://page.invalid')
  if (pathname !== '/login') return path === '/' ? {} : { returnTo: path }
  const { fresh: _, ...search } = signInSearch(Object.fromEntries(searchParams))
  return search
}

/**
 * The sign-in page of `request`, to be opened as a new document: only that knows the application's name and logo.
 * @param fresh shows the form to whoever is signed in, too
 */
export function signInHref(request: SignInRequest, { fresh = false } = {}): string {
  return `/login?${new URLSearchParams({ ...request, ...(fresh && { fresh: 'true' }) })}`
}

/** As `signInHref`, for a request by SAML. */
export function samlSignInHref({ appId, id }: SamlRequest, { fresh = false } = {}): string {
  return `/login?${new URLSearchParams({ saml: `${appId}:${id}`, ...(fresh && { fresh: 'true' }) })}`
}

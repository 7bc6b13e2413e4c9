import { type Issuer, judgeIssuer } from '../api/issuer'
import { serviceAddress } from '../api/service-address'
import { type ReturnToSearch, returnToSearch } from './return-to-search'

/** Where a sign-in leads: to a page of ours, or back to the application that asked for it (`uid` at the issuer `idp`). */
export interface SignInSearch extends ReturnToSearch {
  uid?: string | undefined
  idp?: string | undefined
  /** the form is wanted although there is a session: the application asks for a fresh sign-in */
  fresh?: true | undefined
}

/** The request of an application that waits for a sign-in or a consent. */
export interface SignInRequest {
  uid: string
  idp: Issuer
}

/** Takes the query as it is written; `requestOf` judges it. */
export function signInSearch(search: Record<string, unknown>): SignInSearch {
  const { uid, idp } = search
  return {
    ...returnToSearch(search),
    // The router reads numbers as such.
    ...(uid !== undefined && { uid: String(uid) }),
    ...(idp !== undefined && { idp: String(idp) }),
    ...(search.fresh !== undefined && { fresh: true }),
  }
}

/** @returns the request, undefined where the query names none, null where what it names is none of this service */
export function requestOf({ uid, idp }: SignInSearch, service = serviceAddress()): SignInRequest | undefined | null {
  if (uid === undefined && idp === undefined) return undefined
  const issuer = idp && judgeIssuer(idp, service)
  return uid && issuer ? { uid, idp: issuer } : null
}

/** The path to go to when somebody is signed in; still to be judged by `safeReturn`, as it may be what the query says. */
export function afterSignIn(search: SignInSearch, service = serviceAddress()): string | undefined {
  const request = requestOf(search, service)
  return request ? `/consent?${new URLSearchParams({ ...request })}` : search.returnTo
}

/**
 * The sign-in page of `request`, to be opened as a new document: only that knows the application's name and logo.
 * @param fresh shows the form to whoever is signed in, too
 */
export function signInHref(request: SignInRequest, { fresh = false } = {}): string {
  return `/login?${new URLSearchParams({ ...request, ...(fresh && { fresh: 'true' }) })}`
}

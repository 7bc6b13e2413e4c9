import { type Clock, fromNow, MINUTE } from '../../../platform/clock.js'
import { randomToken } from '../../../platform/crypto/random.js'
import { tokenHash } from '../../../platform/crypto/token-hash.js'
import type { Transaction } from '../../../platform/db/database.js'
import { type NamedQuery, namedQuery } from '../../../platform/db/named-query.js'
import type { ApplicationId, SessionId } from '../../../platform/ids.js'

/** An application that received an assertion for a session, with the names in it. */
export interface NotifiedApplication {
  application: ApplicationId
  nameId: string
  nameIdFormat: string
  sessionIndex: string
}

/** The LogoutRequest of an application, and how to respond to it. */
export interface RequestedLogout {
  requestId: string
  relayState: string | null
  binding: 'redirect' | 'post'
}

/** Where the browser continues after the last application. */
export interface Continuation {
  /** The URL of a page of Keyward, a registered URL, or the URL of a LogoutRequest to a provider. */
  goesOn: string
  /** The URL after a partial logout; `goesOn` if undefined. */
  ifPartial?: string | undefined
}

/** A sign-out that an application requested: after the other applications it visits the provider that started the session. */
interface ByProvider {
  /** The session whose provider must still be visited. */
  opened?: SessionId | undefined
  /** The browser is at that provider; the sign-out continues when it returns. */
  atProvider?: true
}

/** A sign-out in progress: the browser visits one application after the other, and then the requesting one, or `goesOn`. */
export type StoredLogout = ((RequestedLogout & ByProvider) | Continuation) & {
  /** The requesting application. It may be deleted meanwhile; the others are notified in any case. */
  asking?: ApplicationId | null
  /** An application could not be notified, or did not confirm the sign-out. */
  partial: boolean
  /** The application whose response is expected. */
  waiting: { application: ApplicationId; requestId: string } | null
  left: NotifiedApplication[]
  /** The browser has not visited the first application yet: a page posts it the request. */
  atStart?: true
}

/** An unsigned sign-out that the user of the session must confirm. */
export interface UnconfirmedLogout extends RequestedLogout {
  session: SessionId
}

const LOGOUT_LIFETIME = 10 * MINUTE

const insert = namedQuery<never, [Buffer, ApplicationId | null, StoredLogout | UnconfirmedLogout, Date]>(
  'saml_provider.store_logout',
  'INSERT INTO saml_logouts (hash, application_id, payload, expires_at) VALUES ($1, $2, $3, $4)',
)
// Each token is redeemed once: every hop gets a new one.
const take = namedQuery<{ payload: StoredLogout }, [Buffer, ApplicationId, Date]>(
  'saml_provider.take_logout',
  `DELETE FROM saml_logouts WHERE hash = $1 AND payload->'waiting'->>'application' = $2 AND expires_at > $3 RETURNING payload`,
)
const takeRequested = namedQuery<{ payload: UnconfirmedLogout }, [Buffer, ApplicationId, Date]>(
  'saml_provider.take_unconfirmed_logout',
  `DELETE FROM saml_logouts WHERE hash = $1 AND application_id = $2 AND payload->>'session' IS NOT NULL AND expires_at > $3
   RETURNING payload`,
)
const takeResumed = namedQuery<{ payload: StoredLogout }, [Buffer, ApplicationId, Date]>(
  'saml_provider.take_resumed_logout',
  `DELETE FROM saml_logouts WHERE hash = $1 AND application_id = $2
     AND (payload->>'atProvider' = 'true' OR payload->>'atStart' = 'true') AND expires_at > $3 RETURNING payload`,
)

/**
 * Stores a sign-out in progress and returns its token: the RelayState, or the ID to resume it with. Runs in the caller's transaction.
 * @param of the application with which the sign-out is deleted
 */
export async function storeLogout(
  tx: Transaction,
  clock: Clock,
  of: ApplicationId | null,
  logout: StoredLogout | UnconfirmedLogout,
): Promise<string> {
  const token = randomToken()
  await tx.run(insert, [tokenHash(token), of, logout, fromNow(clock, LOGOUT_LIFETIME)])
  return token
}

type Take<Payload> = NamedQuery<{ payload: Payload }, [Buffer, ApplicationId, Date]>

/** Returns a function that takes a sign-out of an application by its token, once. The function runs in the caller's transaction. */
const takeBy =
  <Payload>(query: Take<Payload>) =>
  async (tx: Transaction, clock: Clock, application: ApplicationId, token: string): Promise<Payload | undefined> =>
    (await tx.run(query, [tokenHash(token), application, clock.now()]))[0]?.payload

/** Takes the sign-out that waits for this application's response. */
export const takeLogout = takeBy(take)

/** Takes the unconfirmed sign-out that this application requested. */
export const takeUnconfirmed = takeBy(takeRequested)

/** Takes the sign-out that starts at this application, or that this application requested and that waits for a provider. */
export const takeResumable = takeBy(takeResumed)

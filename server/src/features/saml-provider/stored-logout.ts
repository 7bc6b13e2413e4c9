import { type Clock, fromNow, MINUTE } from '../../platform/clock.js'
import { randomToken } from '../../platform/crypto/random.js'
import { tokenHash } from '../../platform/crypto/token-hash.js'
import type { Transaction } from '../../platform/db/database.js'
import { namedQuery } from '../../platform/db/named-query.js'
import type { ApplicationId, SessionId } from '../../platform/ids.js'

/** An application that was told of a session, by the names that it was told. */
export interface NotifiedApplication {
  application: ApplicationId
  nameId: string
  nameIdFormat: string
  sessionIndex: string
}

/** The request of an application to sign out, and how the answer goes back. */
export interface AskedLogout {
  requestId: string
  relayState: string | null
  binding: 'redirect' | 'post'
}

/** Where the browser goes behind the last application. */
export interface GoesOn {
  /** A page of ours, an address that is registered, or a provider that is asked to sign out. */
  goesOn: string
  /** The same where somebody could not be told, or did not say that all is over; without it the way is the same. */
  ifPartial?: string | undefined
}

/** Of a sign-out that an application asked for: behind the other applications it goes to the provider that opened the session. */
interface ByProvider {
  /** The session whose provider is still to be asked. */
  opened?: SessionId | undefined
  /** It is at that provider, and goes on when the browser comes back. */
  atProvider?: true
}

/** A sign-out that goes by the browser from one application to the next, and back to the one that asked, or on to where it goes from here. */
export type StoredLogout = ((AskedLogout & ByProvider) | GoesOn) & {
  /** The application that asked. It may be deleted on the way, and the others are told all the same. */
  asking?: ApplicationId | null
  /** Somebody could not be told, or did not say that all is over. */
  partial: boolean
  /** Whose answer is due. */
  waiting: { application: ApplicationId; requestId: string } | null
  left: NotifiedApplication[]
}

/** A sign-out that nobody signed, and that the user of the session has yet to confirm. */
export interface UnconfirmedLogout extends AskedLogout {
  session: SessionId
}

const WAITS = 10 * MINUTE

const insert = namedQuery<never, [Buffer, ApplicationId | null, StoredLogout | UnconfirmedLogout, Date]>(
  'saml_provider.keep_logout',
  'INSERT INTO saml_logouts (hash, application_id, payload, expires_at) VALUES ($1, $2, $3, $4)',
)
// Whoever comes with it takes it: each step gets a new one.
const take = namedQuery<{ payload: StoredLogout }, [Buffer, ApplicationId, Date]>(
  'saml_provider.take_logout',
  `DELETE FROM saml_logouts WHERE hash = $1 AND payload->'waiting'->>'application' = $2 AND expires_at > $3 RETURNING payload`,
)
const takeAsked = namedQuery<{ payload: UnconfirmedLogout }, [Buffer, ApplicationId, Date]>(
  'saml_provider.take_unconfirmed_logout',
  `DELETE FROM saml_logouts WHERE hash = $1 AND application_id = $2 AND payload->>'session' IS NOT NULL AND expires_at > $3
   RETURNING payload`,
)
const takeAtProvider = namedQuery<{ payload: StoredLogout }, [Buffer, ApplicationId, Date]>(
  'saml_provider.take_logout_at_provider',
  `DELETE FROM saml_logouts WHERE hash = $1 AND application_id = $2 AND payload->>'atProvider' = 'true' AND expires_at > $3
   RETURNING payload`,
)

/**
 * A step: answers the RelayState, or the id, by which it goes on.
 * @param of the application without which there is nothing to go on to
 */
export async function keepLogout(
  tx: Transaction,
  clock: Clock,
  of: ApplicationId | null,
  logout: StoredLogout | UnconfirmedLogout,
): Promise<string> {
  const token = randomToken()
  await tx.run(insert, [tokenHash(token), of, logout, fromNow(clock, WAITS)])
  return token
}

/** A step: the sign-out that waits for this application's answer, taken once. */
export const takeLogout = async (
  tx: Transaction,
  clock: Clock,
  answering: ApplicationId,
  token: string,
): Promise<StoredLogout | undefined> => (await tx.run(take, [tokenHash(token), answering, clock.now()]))[0]?.payload

/** A step: the sign-out that this application asked for and nobody has confirmed so far, taken once. */
export const takeUnconfirmed = async (
  tx: Transaction,
  clock: Clock,
  asking: ApplicationId,
  token: string,
): Promise<UnconfirmedLogout | undefined> =>
  (await tx.run(takeAsked, [tokenHash(token), asking, clock.now()]))[0]?.payload

/** A step: the sign-out that this application asked for and that was sent to the provider of its session, taken once. */
export const takeReturned = async (
  tx: Transaction,
  clock: Clock,
  asking: ApplicationId,
  token: string,
): Promise<StoredLogout | undefined> =>
  (await tx.run(takeAtProvider, [tokenHash(token), asking, clock.now()]))[0]?.payload

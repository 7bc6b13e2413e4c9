import { type Clock, fromNow, MINUTE } from '../../platform/clock.js'
import { randomToken } from '../../platform/crypto/random.js'
import { tokenHash } from '../../platform/crypto/token-hash.js'
import type { Transaction } from '../../platform/db/database.js'
import { namedQuery } from '../../platform/db/named-query.js'
import type { ApplicationId } from '../../platform/ids.js'

/** An application that was told of a session, by the names that it was told. */
export interface ToldApplication {
  application: ApplicationId
  nameId: string
  nameIdFormat: string
  sessionIndex: string
}

/** A sign-out that goes by the browser from one application to the next, and back to the one that asked. */
export interface KeptLogout {
  /** The request of the one that asked, and how the answer goes back. */
  requestId: string
  relayState: string | null
  binding: 'redirect' | 'post'
  /** Somebody could not be told, or did not say that all is over. */
  partial: boolean
  /** Whose answer is due. */
  waiting: { application: ApplicationId; requestId: string } | null
  left: ToldApplication[]
}

const WAITS = 10 * MINUTE

const insert = namedQuery<never, [Buffer, ApplicationId, KeptLogout, Date]>(
  'saml_provider.keep_logout',
  'INSERT INTO saml_logouts (hash, application_id, payload, expires_at) VALUES ($1, $2, $3, $4)',
)
// Whoever comes with it takes it: each step gets a new one.
const take = namedQuery<{ application: ApplicationId; payload: KeptLogout }, [Buffer, ApplicationId, Date]>(
  'saml_provider.take_logout',
  `DELETE FROM saml_logouts WHERE hash = $1 AND payload->'waiting'->>'application' = $2 AND expires_at > $3
   RETURNING application_id AS application, payload`,
)

/** A step: answers the RelayState by which it goes on. */
export async function keepLogout(
  tx: Transaction,
  clock: Clock,
  application: ApplicationId,
  logout: KeptLogout,
): Promise<string> {
  const token = randomToken()
  await tx.run(insert, [tokenHash(token), application, logout, fromNow(clock, WAITS)])
  return token
}

/** A step: the sign-out that waits for this application's answer, taken once. */
export const takeLogout = async (
  tx: Transaction,
  clock: Clock,
  answering: ApplicationId,
  token: string,
): Promise<{ application: ApplicationId; payload: KeptLogout } | undefined> =>
  (await tx.run(take, [tokenHash(token), answering, clock.now()]))[0]

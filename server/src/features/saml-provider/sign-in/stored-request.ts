import { type Clock, fromNow, MINUTE } from '../../../platform/clock.js'
import { randomToken } from '../../../platform/crypto/random.js'
import { tokenHash } from '../../../platform/crypto/token-hash.js'
import type { Transaction } from '../../../platform/db/database.js'
import { type NamedQuery, namedQuery } from '../../../platform/db/named-query.js'
import type { RequestOrigin } from '../../../platform/http/actor.js'
import type { ApplicationId } from '../../../platform/ids.js'
import type { AuthnRequest } from '../../../protocols/saml/index.js'
import { countUnverified } from '../../authentication/index.js'
import type { SamlProviderDeps } from '../model/deps.js'

/** A verified AuthnRequest; one without an ID is an IdP-initiated sign-in. */
export interface StoredRequest extends Pick<AuthnRequest, 'forceAuthn' | 'isPassive' | 'acsUrl'> {
  id: string | null
  /** The service provider's entity ID at the time of the request. */
  issuer: string
  relayState: string | null
  nameIdFormat: string | null
  requestedAuthnContext: AuthnRequest['requestedAuthnContext'] | null
  subject: string | null
  /** Milliseconds. */
  receivedAt: number
}

const REQUEST_LIFETIME = 5 * MINUTE

const insert = namedQuery<
  never,
  { hash: Buffer; applicationId: ApplicationId; request: StoredRequest; now: Date; expiresAt: Date }
>(
  'saml_provider.store_request',
  'INSERT INTO saml_requests (hash, application_id, payload, created_at, expires_at) VALUES (:hash, :applicationId, :request, :now, :expiresAt)',
)

/**
 * Stores a request until the user has signed in, and returns the ID that continues it. Counts the request of the source, because the sender is not
 * authenticated. Runs in the caller's transaction.
 * @throws rate_limited
 */
export async function storeRequest(
  tx: Transaction,
  deps: Pick<SamlProviderDeps, 'clock' | 'config' | 'throttle'>,
  application: ApplicationId,
  request: StoredRequest,
  origin: RequestOrigin,
): Promise<string> {
  const { clock } = deps
  await countUnverified(tx, deps, origin)
  const token = randomToken()
  await tx.run(insert, {
    hash: tokenHash(token),
    applicationId: application,
    request,
    now: clock.now(),
    expiresAt: fromNow(clock, REQUEST_LIFETIME),
  })
  return token
}

const STORED = 'SELECT payload FROM saml_requests WHERE hash = $1 AND application_id = $2 AND expires_at > $3'

type Find = NamedQuery<{ payload: StoredRequest }, [Buffer, ApplicationId, Date]>
const find: Find = namedQuery('saml_provider.stored_request', STORED)
const lock: Find = namedQuery('saml_provider.lock_request', `${STORED} FOR UPDATE`)
const remove = namedQuery<never, [Buffer]>('saml_provider.end_request', 'DELETE FROM saml_requests WHERE hash = $1')

const findBy =
  (query: Find) =>
  async (
    tx: Transaction,
    clock: Clock,
    application: ApplicationId,
    token: string,
  ): Promise<StoredRequest | undefined> =>
    (await tx.run(query, [tokenHash(token), application, clock.now()]))[0]?.payload

/** Returns a pending request of the application. Runs in the caller's transaction. */
export const findStoredRequest = findBy(find)

/** Like `findStoredRequest`, and locks the request until the transaction ends. Runs in the caller's transaction. */
export const lockStoredRequest = findBy(lock)

/** Deletes a request that has got its response. Runs in the caller's transaction. */
export async function endStoredRequest(tx: Transaction, token: string): Promise<void> {
  await tx.run(remove, [tokenHash(token)])
}

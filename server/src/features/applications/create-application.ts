import { randomKey, randomToken, uuidv7 } from '../../platform/crypto/random.js'
import { tokenHash } from '../../platform/crypto/token-hash.js'
import type { Transaction } from '../../platform/db/database.js'
import type { Actor } from '../../platform/http/actor.js'
import type { ApplicationId, TeamId } from '../../platform/ids.js'
import type { ApplicationDeps } from './deps.js'
import { normalizeRegistration } from './registration/normalize-registration.js'
import { type Application, newRegistration, type Registration, usesSecret } from './registration/registration.js'
import { applicationRepository } from './repository.js'
import { setTokenCreator, type TokenCreator } from './secrets/registration-token.js'

export type WantedApplication = Partial<Registration> & Pick<Registration, 'name' | 'type'>

/**
 * Registers an application. Returns its secret, of which only the hash is stored.
 * @throws invalid_request, limit_reached
 */
export function createApplication(
  deps: ApplicationDeps,
  actor: Actor,
  wanted: WantedApplication,
): Promise<{ application: Application; clientSecret: string | undefined }> {
  return deps.db.transaction(async (tx) => {
    const created = await addApplication(tx, deps, actor.teamId, wanted)
    const { id, name, type, clientId } = created.application
    await deps.audit.record(tx, actor, 'application.created', {
      resource: `application:${id}`,
      metadata: { name, type, clientId },
    })
    return created
  })
}

/**
 * Registers an application without an audit entry. Runs in the caller's transaction.
 * @param registrationToken with which the client manages itself (RFC 7592): its SHA-256 and its creator, null for the instance's API_TOKEN
 * @throws invalid_request, limit_reached
 */
export async function addApplication(
  tx: Transaction,
  { clock, config }: Pick<ApplicationDeps, 'clock' | 'config'>,
  teamId: TeamId,
  wanted: WantedApplication,
  registrationToken?: { hash: Buffer; creator: TokenCreator | null },
): Promise<{ application: Application; clientSecret: string | undefined }> {
  const registration = normalizeRegistration(newRegistration(wanted.name, wanted.type), wanted, {
    httpAnywhere: !config.secure,
    baseUrl: config.baseUrl,
  })
  const clientSecret = usesSecret(registration) ? randomToken() : undefined
  const now = clock.now()
  const application = await applicationRepository(tx, teamId).insert({
    ...registration,
    id: uuidv7<ApplicationId>(clock),
    clientId: randomKey(16).toString('hex'),
    secretHash: clientSecret === undefined ? null : tokenHash(clientSecret),
    secretRotatedAt: null,
    previousSecretHash: null,
    previousSecretUntil: null,
    registrationTokenHash: registrationToken?.hash ?? null,
    registrationTokenBy: null,
    registrationTokenEpoch: 0,
    registrationTokenTemporarySetBy: null,
    registrationTokenOfInstance: registrationToken?.creator === null,
    withheldGrantTypes: [],
    secretsEnded: 0,
    stoppedAt: null,
    version: 1,
    generation: 1,
    createdAt: now,
    updatedAt: now,
  })
  if (registrationToken?.creator) await setTokenCreator(tx, teamId, application.id, registrationToken.creator)
  return { application, clientSecret }
}

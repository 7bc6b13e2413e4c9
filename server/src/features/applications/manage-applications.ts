import { isDeepStrictEqual } from 'node:util'
import type { Clock } from '../../platform/clock.js'
import type { Config } from '../../platform/config/config.js'
import { randomKey, randomToken, uuidv7 } from '../../platform/crypto/random.js'
import { tokenHash } from '../../platform/crypto/token-hash.js'
import type { Database, Transaction } from '../../platform/db/database.js'
import { rejection as platformError } from '../../platform/errors.js'
import type { Actor } from '../../platform/http/actor.js'
import type { ApplicationId, OriginId, TeamId } from '../../platform/ids.js'
import type { Audit, TeamSubject } from '../audit/index.js'
import { normalizeRegistration } from './registration/normalize-registration.js'
import {
  type Application,
  newRegistration,
  type Registration,
  toRegistration,
  usesSecret,
} from './registration/registration.js'
import { applicationRepository, findApplication, lockApplication } from './repository.js'
import { setTokenCreator, type TokenCreator } from './secrets/registration-token.js'

export interface ApplicationDeps {
  db: Database
  clock: Clock
  audit: Audit
  config: Pick<Config, 'secure' | 'baseUrl'>
  /**
   * Locks the caller's session or API token until the transaction ends. Returns the member who set the temporary password with which the
   * session began, or null. Runs in the caller's transaction.
   * @throws invalid_access_token
   */
  requireActiveActor: (tx: Transaction, clock: Clock, actor: Actor) => Promise<{ temporarySetBy: OriginId | null }>
}

/** The dependencies of changes in the transaction of another module. */
type ChangeDeps = Pick<ApplicationDeps, 'clock' | 'audit' | 'config'>

/** Returns the team's applications, newest first. */
export const listApplications = ({ db }: ApplicationDeps, actor: Actor): Promise<Application[]> =>
  db.transaction((tx) => applicationRepository(tx, actor.teamId).list())

/** @throws application_not_found */
export const readApplication = ({ db }: ApplicationDeps, actor: Actor, id: string): Promise<Application> =>
  db.transaction((tx) => findApplication(tx, actor.teamId, id))

type WantedApplication = Partial<Registration> & Pick<Registration, 'name' | 'type'>

interface CreatedApplication {
  application: Application
  /** Undefined for a client that does not authenticate with a secret. */
  clientSecret: string | undefined
}

/**
 * Registers an application. Returns its secret, of which only the hash is stored.
 * @throws invalid_request, limit_reached
 */
export const createApplication = (
  deps: ApplicationDeps,
  actor: Actor,
  wanted: WantedApplication,
): Promise<CreatedApplication> =>
  deps.db.transaction(async (tx) => {
    const created = await addApplication(tx, deps, actor.teamId, wanted)
    await deps.audit.record(tx, actor, 'application.created', recordOf(created.application))
    return created
  })

/**
 * Registers an application without an audit entry. Runs in the caller's transaction.
 * @param registrationToken with which the client manages itself (RFC 7592): its SHA-256 and its creator, null for the instance's API_TOKEN
 * @throws invalid_request, limit_reached
 */
export async function addApplication(
  tx: Transaction,
  { clock, config }: Pick<ChangeDeps, 'clock' | 'config'>,
  teamId: TeamId,
  wanted: WantedApplication,
  registrationToken?: { hash: Buffer; creator: TokenCreator | null },
): Promise<CreatedApplication> {
  const registration = normalizeRegistration(newRegistration(wanted.name, wanted.type), wanted, uriRules(config))
  const clientSecret = usesSecret(registration) ? randomToken() : undefined
  const now = clock.now()
  const application = await applicationRepository(tx, teamId).insert({
    ...registration,
    id: uuidv7<ApplicationId>(clock),
    clientId: randomKey(16).toString('hex'),
    secretHash: clientSecret === undefined ? null : tokenHash(clientSecret),
    registrationTokenHash: registrationToken?.hash ?? null,
    registrationTokenOfInstance: registrationToken?.creator === null,
    version: 1,
    generation: 1,
    createdAt: now,
    updatedAt: now,
  })
  if (registrationToken?.creator) await setTokenCreator(tx, teamId, application.id, registrationToken.creator)
  return { application, clientSecret }
}

/**
 * Updates the given fields. A changed authentication method revokes all issued tokens, and the secret if it is no longer used. The caller
 * becomes the creator of a registration access token that has none.
 * @throws application_not_found, invalid_request, invalid_access_token
 */
export const updateApplication = (
  deps: ApplicationDeps,
  actor: Actor,
  id: string,
  change: Partial<Registration>,
): Promise<Application> =>
  deps.db.transaction(async (tx) => {
    const { temporarySetBy } = await deps.requireActiveActor(tx, deps.clock, actor)
    const tookOver = await setTokenCreator(tx, actor.teamId, id, { userId: actor.userId, temporarySetBy })
    const about = tookOver ? { registrationTokenTakenOver: true } : {}
    return changeApplication(tx, deps, actor, id, change, { isByClient: false, about })
  })

/**
 * Changes an application. Grant types that an administrator removes are recorded, so that the client cannot add them again. Runs in the
 * caller's transaction.
 * @param changer.isByClient whether the client itself changes its registration, not an administrator
 * @param changer.about additional metadata of the audit entry
 * @throws application_not_found, invalid_request
 */
export async function changeApplication(
  tx: Transaction,
  { clock, audit, config }: ChangeDeps,
  by: TeamSubject,
  id: string,
  change: Partial<Registration>,
  { isByClient, about = {} }: { isByClient: boolean; about?: Record<string, unknown> },
): Promise<Application> {
  const before = await lockApplication(tx, by.teamId, id)
  if (change.type !== undefined && change.type !== before.type) throw typeIsFixed(before.type)

  const registration = normalizeRegistration(toRegistration(before), change, uriRules(config))
  const methodChanged = registration.tokenEndpointAuthMethod !== before.tokenEndpointAuthMethod
  const secretRemoved = before.secretHash !== null && !usesSecret(registration)
  const after = await applicationRepository(tx, by.teamId).update(before, {
    ...registration,
    ...(methodChanged && { generation: before.generation + 1 }),
    ...(secretRemoved && NO_SECRET),
    ...(!isByClient && { withheldGrantTypes: withheldAfter(before, registration.grantTypes) }),
    updatedAt: clock.now(),
  })
  const changed = Object.keys(registration).filter(
    (field) => !isDeepStrictEqual(after[field as keyof Registration], before[field as keyof Registration]),
  )
  await audit.record(tx, by, 'application.updated', {
    resource: `application:${after.id}`,
    metadata: { changed: [...changed, ...(secretRemoved ? ['clientSecret'] : [])].sort(), ...about },
  })
  return after
}

const withheldAfter = ({ withheldGrantTypes, grantTypes }: Application, allowed: string[]): string[] =>
  [...new Set([...withheldGrantTypes, ...grantTypes])].filter((grant) => !allowed.includes(grant))

const NO_SECRET = { secretHash: null, secretRotatedAt: null, previousSecretHash: null, previousSecretUntil: null }

const typeIsFixed = (type: string) =>
  platformError('invalid_request', {
    detail: 'The type of an application cannot change',
    errors: [{ path: '/type', message: `must stay ${type}` }],
  })

const uriRules = ({ secure, baseUrl }: ApplicationDeps['config']) => ({ isHttpAllowed: !secure, baseUrl })

/** Deletes the application with its tokens, consents and configuration. @throws application_not_found */
export const deleteApplication = (deps: ApplicationDeps, actor: Actor, id: string): Promise<ApplicationId> =>
  deps.db.transaction((tx) => removeApplication(tx, deps, actor, id))

/**
 * Deletes the application with its audit entry. Runs in the caller's transaction.
 * @param about additional metadata of the audit entry
 * @throws application_not_found
 */
export async function removeApplication(
  tx: Transaction,
  { audit }: Pick<ChangeDeps, 'audit'>,
  by: TeamSubject,
  id: string,
  about: Record<string, unknown> = {},
): Promise<ApplicationId> {
  const deleted = await applicationRepository(tx, by.teamId).delete(id)
  const { resource, metadata } = recordOf(deleted)
  await audit.record(tx, by, 'application.deleted', { resource, metadata: { ...metadata, ...about } })
  return deleted.id
}

const recordOf = ({ id, name, type, clientId }: Application) => ({
  resource: `application:${id}`,
  metadata: { name, type, clientId },
})

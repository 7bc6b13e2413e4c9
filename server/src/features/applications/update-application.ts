import { isDeepStrictEqual } from 'node:util'
import type { Transaction } from '../../platform/db/database.js'
import { rejection as platformError } from '../../platform/errors.js'
import type { Actor } from '../../platform/http/actor.js'
import type { TeamId } from '../../platform/ids.js'
import type { AuditSubject } from '../audit/index.js'
import type { ApplicationDeps, UpdateDeps } from './deps.js'
import { rejection } from './errors.js'
import { normalizeRegistration } from './registration/normalize-registration.js'
import { type Application, type Registration, toRegistration, usesSecret } from './registration/registration.js'
import { applicationRepository } from './repository.js'
import { setTokenCreator } from './secrets/registration-token.js'

/**
 * Updates the given fields. A changed authentication method revokes all issued tokens, and the secret if it is no longer used. The caller
 * becomes the creator of a registration access token that has none.
 * @throws application_not_found, invalid_request, invalid_access_token
 */
export const updateApplication = (
  deps: UpdateDeps,
  actor: Actor,
  id: string,
  change: Partial<Registration>,
): Promise<Application> =>
  deps.db.transaction(async (tx) => {
    const { temporarySetBy } = await deps.requireActiveActor(tx, deps.clock, actor)
    const tookOver = await setTokenCreator(tx, actor.teamId, id, { userId: actor.userId, temporarySetBy })
    const about = tookOver ? { registrationTokenTakenOver: true } : {}
    return changeApplication(tx, deps, actor, id, change, { byItself: false, about })
  })

/** The author of a change: an administrator, or the client itself. */
interface Changer {
  byItself: boolean
  about?: Record<string, unknown>
}

/**
 * Changes an application. Grant types that an administrator removes are recorded, so that the client cannot add them again. Runs in the
 * caller's transaction.
 * @param changer.about additional metadata of the audit entry
 * @throws application_not_found, invalid_request
 */
export async function changeApplication(
  tx: Transaction,
  { clock, audit, config }: Pick<ApplicationDeps, 'clock' | 'audit' | 'config'>,
  by: AuditSubject & { teamId: TeamId },
  id: string,
  change: Partial<Registration>,
  { byItself, about = {} }: Changer,
): Promise<Application> {
  const repository = applicationRepository(tx, by.teamId)
  const before = await repository.lock(id)
  if (!before) throw rejection('application_not_found')
  if (change.type !== undefined && change.type !== before.type) throw typeIsFixed(before.type)

  const rules = { httpAnywhere: !config.secure, baseUrl: config.baseUrl }
  const registration = normalizeRegistration(toRegistration(before), change, rules)
  const methodChanged = registration.tokenEndpointAuthMethod !== before.tokenEndpointAuthMethod
  const secretRemoved = before.secretHash !== null && !usesSecret(registration)
  const after = await repository.update(before, {
    ...registration,
    ...(methodChanged && { generation: before.generation + 1 }),
    ...(secretRemoved && NO_SECRET),
    ...(!byItself && { withheldGrantTypes: withheldAfter(before, registration.grantTypes) }),
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

function withheldAfter({ withheldGrantTypes, grantTypes }: Application, allowed: string[]): string[] {
  return [...new Set([...withheldGrantTypes, ...grantTypes])].filter((grant) => !allowed.includes(grant))
}

const NO_SECRET = { secretHash: null, secretRotatedAt: null, previousSecretHash: null, previousSecretUntil: null }

const typeIsFixed = (type: string) =>
  platformError('invalid_request', {
    detail: 'The type of an application cannot change',
    errors: [{ path: '/type', message: `must stay ${type}` }],
  })

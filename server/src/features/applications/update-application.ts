import { isDeepStrictEqual } from 'node:util'
import type { Transaction } from '../../platform/db/database.js'
import { rejection as platformError } from '../../platform/errors.js'
import type { Actor } from '../../platform/http/actor.js'
import type { TeamId } from '../../platform/ids.js'
import type { AuditSubject } from '../audit/index.js'
import type { ApplicationDeps, UpdateDeps } from './deps.js'
import { rejection } from './errors.js'
import { type Application, type Registration, registrationOf, usesSecret } from './registration.js'
import { setTokenCreator } from './registration-token.js'
import { applicationRepository } from './repository.js'
import { settleRegistration } from './settle-registration.js'

/**
 * Changes what is given and leaves the rest. A client that authenticates in another way from now on loses what it was handed out
 * before, and its secret where it no longer uses one. The caller takes over a registration access token for which nobody answers.
 * @throws application_not_found, invalid_request, invalid_access_token
 */
export const updateApplication = (
  deps: UpdateDeps,
  actor: Actor,
  id: string,
  change: Partial<Registration>,
): Promise<Application> =>
  deps.db.transaction(async (tx) => {
    const { temporarySetBy } = await deps.requireLiveActor(tx, deps.clock, actor)
    const tookOver = await setTokenCreator(tx, actor.teamId, id, { userId: actor.userId, temporarySetBy })
    const about = tookOver ? { registrationTokenTakenOver: true } : {}
    return changeApplication(tx, deps, actor, id, change, { byItself: false, about })
  })

/** Who changes it: an administrator, or the client that manages itself, of which the audit entry tells. */
interface Changer {
  byItself: boolean
  about?: Record<string, unknown>
}

/**
 * A step: the same, by whoever may. What an administrator takes away is noted, for a client that would take it back.
 * @param changer.about what the audit entry says beside the change itself
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
  const settled = settleRegistration(registrationOf(before), change, rules)
  const proofChanged = settled.tokenEndpointAuthMethod !== before.tokenEndpointAuthMethod
  const secretRemoved = before.secretHash !== null && !usesSecret(settled)
  const after = await repository.update(before, {
    ...settled,
    ...(proofChanged && { generation: before.generation + 1 }),
    ...(secretRemoved && NO_SECRET),
    ...(!byItself && { withheldGrantTypes: withheldAfter(before, settled.grantTypes) }),
    updatedAt: clock.now(),
  })
  const changed = Object.keys(settled).filter(
    (field) => !isDeepStrictEqual(after[field as keyof Registration], before[field as keyof Registration]),
  )
  await audit.record(tx, by, 'application.updated', {
    resource: `application:${after.id}`,
    metadata: { changed: [...changed, ...(secretRemoved ? ['clientSecret'] : [])].sort(), ...about },
  })
  return after
}

function withheldAfter({ withheldGrantTypes, grantTypes }: Application, given: string[]): string[] {
  return [...new Set([...withheldGrantTypes, ...grantTypes])].filter((grant) => !given.includes(grant))
}

const NO_SECRET = { secretHash: null, secretRotatedAt: null, previousSecretHash: null, previousSecretUntil: null }

const typeIsFixed = (type: string) =>
  platformError('invalid_request', {
    detail: 'The type of an application cannot change',
    errors: [{ path: '/type', message: `must stay ${type}` }],
  })

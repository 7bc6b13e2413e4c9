import { isDeepStrictEqual } from 'node:util'
import { refusal as platformRefusal } from '../../platform/errors.js'
import type { Actor } from '../../platform/http/actor.js'
import type { ApplicationDeps } from './deps.js'
import { refusal } from './errors.js'
import { type Application, type Registration, registrationOf, usesSecret } from './registration.js'
import { applicationRepository } from './repository.js'
import { settleRegistration } from './settle-registration.js'

/**
 * Changes what is given and leaves the rest. A client that authenticates in another way from now on loses what it was handed out
 * before, and its secret where it no longer uses one.
 * @throws application_not_found, invalid_request
 */
export function updateApplication(
  { db, clock, audit, config }: ApplicationDeps,
  actor: Actor,
  id: string,
  change: Partial<Registration>,
): Promise<Application> {
  return db.transaction(async (tx) => {
    const repository = applicationRepository(tx, actor.teamId)
    const before = await repository.lock(id)
    if (!before) throw refusal('application_not_found')
    if (change.type !== undefined && change.type !== before.type) throw typeIsFixed(before.type)

    const settled = settleRegistration(registrationOf(before), change, { httpAnywhere: !config.secure })
    const proofChanged = settled.tokenEndpointAuthMethod !== before.tokenEndpointAuthMethod
    const secretRemoved = before.secretHash !== null && !usesSecret(settled)
    const after = await repository.update(before, {
      ...settled,
      ...(proofChanged && { generation: before.generation + 1 }),
      ...(secretRemoved && { secretHash: null, secretRotatedAt: null }),
      updatedAt: clock.now(),
    })
    const changed = Object.keys(settled).filter(
      (field) => !isDeepStrictEqual(after[field as keyof Registration], before[field as keyof Registration]),
    )
    await audit.record(tx, actor, 'application.updated', {
      resource: `application:${after.id}`,
      metadata: { changed: [...changed, ...(secretRemoved ? ['clientSecret'] : [])].sort() },
    })
    return after
  })
}

const typeIsFixed = (type: string) =>
  platformRefusal('invalid_request', {
    detail: 'The type of an application cannot change',
    errors: [{ path: '/type', message: `must stay ${type}` }],
  })

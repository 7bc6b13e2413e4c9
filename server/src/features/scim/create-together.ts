import { AppError } from '../../platform/app-error.js'
import { isRetryable } from '../../platform/db/database-errors.js'
import type { ScimActor } from '../../platform/http/actor.js'
import type { ScimTokenId } from '../../platform/ids.js'
import type { DirectoryProfile } from '../members/index.js'
import { type AddedPerson, type NewPerson, provisionNew } from '../users/index.js'
import { asDirectory, directoryOf } from './as-directory.js'
import type { ScimDeps } from './deps.js'
import { type Kept, type UserRow, userRepository } from './user-repository.js'

/** A person as a directory sends them who is new to it. */
export interface Newcomer {
  email: string
  profile: DirectoryProfile
  active: boolean
  kept: Kept
}

/** Makes somebody whom nobody knows; undefined when something stands against it, which is for another to judge: nothing was changed. */
export type CreateTogether = (actor: ScimActor, person: Newcomer) => Promise<UserRow | undefined>

/** How many are made in one transaction. */
const MOST = 32

interface Waiting {
  actor: ScimActor
  person: Newcomer
  settle: (made: UserRow | undefined) => void
  fail: (error: unknown) => void
}

/** Thrown to undo. */
class NotPlain extends Error {}

/**
 * Makes new people, those of one token together: while one transaction runs, requests that come gather for the next, which they share
 * with its commit. A request that is alone waits for nobody. It only makes: whatever stands against any of them undoes all, and each
 * goes the way on which it alone is judged (decision 18).
 */
export function createTogether(deps: ScimDeps): CreateTogether {
  const queues = new Map<ScimTokenId, Waiting[]>()

  async function work(queue: Waiting[], token: ScimTokenId): Promise<void> {
    while (queue.length > 0) {
      const some = queue.splice(0, MOST)
      try {
        const made = await makeAll(deps, some)
        some.forEach(({ settle }, index) => {
          settle(made[index])
        })
      } catch (error) {
        for (const { fail } of some) fail(error)
      }
    }
    queues.delete(token)
  }

  return (actor, person) =>
    new Promise((settle, fail) => {
      const waiting = { actor, person, settle, fail }
      const queue = queues.get(actor.scimTokenId)
      if (queue) return void queue.push(waiting)
      const started = [waiting]
      queues.set(actor.scimTokenId, started)
      void work(started, actor.scimTokenId)
    })
}

/** @throws what stands against all of them alike: the token is dead, the database is away */
async function makeAll(deps: ScimDeps, some: Waiting[]): Promise<(UserRow | undefined)[]> {
  const [first] = some
  if (!first) return []
  try {
    return await asDirectory(deps, first.actor, 'User', async (tx, { teamId, permissions }) => {
      const people = some.map(
        ({ actor, person }): NewPerson => ({ ...person, directory: directoryOf({ ...actor, permissions }) }),
      )
      const added = await provisionNew(tx, deps, teamId, people)
      if (!added) throw new NotPlain()
      const kept = some.flatMap(({ person }, index) => {
        const { membershipId } = added[index] ?? {}
        return membershipId ? [{ ...person.kept, membershipId }] : []
      })
      if (!(await userRepository(tx, teamId).keepAll(kept))) throw new NotPlain()
      return some.map(({ person }, index) => {
        const one = added[index]
        return one && rowOf(person, one)
      })
    })
  } catch (error) {
    const isOfOne = error instanceof AppError && error.code === 'role_protected'
    if (error instanceof NotPlain || isOfOne || isRetryable(error)) return some.map(() => undefined)
    throw error
  }
}

/** What was written of a new member, as it would be read. */
function rowOf({ email, profile, active, kept }: Newcomer, added: AddedPerson): UserRow {
  const nothing = { firstName: null, lastName: null, title: null, department: null, phone: null, locale: null }
  return {
    ...nothing,
    externalId: null,
    ...profile,
    ...added,
    email,
    active,
    updatedAt: added.createdAt,
    kept,
  }
}

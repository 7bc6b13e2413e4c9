import { AppError } from '../../platform/app-error.js'
import type { Transaction } from '../../platform/db/database.js'
import { isRetryable } from '../../platform/db/database-errors.js'
import type { ScimActor } from '../../platform/http/actor.js'
import type { ScimTokenId } from '../../platform/ids.js'
import type { DirectoryProfile } from '../members/index.js'
import { type DirectoryActor, fromDirectory, type ProvisionedUser, provisionUsers } from '../user-management/index.js'
import { lockUsersByEmail, normalizeEmail } from '../users/index.js'
import { asDirectory, directoryOf } from './as-directory.js'
import type { ScimDeps } from './deps.js'
import { type StoredAttributes, type UserRow, userRepository } from './user-repository.js'

/** A person as a directory sends them who is new to it. */
export interface Newcomer {
  email: string
  profile: DirectoryProfile
  active: boolean
  stored: StoredAttributes
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

/** Those of one token who wait for their transaction. */
interface Gathering {
  waiting: Waiting[]
  /** How many are worth waiting for, and who is told when they are there. */
  wanted: number
  onWanted: () => void
}

/** Thrown to undo. */
class NotPlain extends Error {}

/**
 * Makes new people, those of one token together: while one transaction runs, requests that come gather for the next, which they share
 * with its commit. It only makes: whatever stands against any of them undoes all, and each goes the way on which it alone is judged
 * (decision 18).
 */
export function createTogether(deps: ScimDeps): CreateTogether {
  const gatherings = new Map<ScimTokenId, Gathering>()

  async function work(token: ScimTokenId, gathering: Gathering): Promise<void> {
    const { waiting } = gathering
    while (waiting.length > 0) {
      const some = waiting.splice(0, MOST)
      try {
        const made = await makeAll(deps, some)
        some.forEach(({ settle }, index) => {
          settle(made[index])
        })
      } catch (error) {
        for (const { fail } of some) fail(error)
      }
      await gathered(gathering, Math.min(MOST, some.length + waiting.length))
    }
    gatherings.delete(token)
  }

  return (actor, person) =>
    new Promise((settle, fail) => {
      const waiting = { actor, person, settle, fail }
      const gathering = gatherings.get(actor.scimTokenId)
      if (gathering) {
        gathering.waiting.push(waiting)
        if (gathering.waiting.length >= gathering.wanted) gathering.onWanted()
        return
      }
      const begun: Gathering = { waiting: [waiting], wanted: 0, onWanted: () => {} }
      gatherings.set(actor.scimTokenId, begun)
      void work(actor.scimTokenId, begun)
    })
}

/** How long is waited for those who were answered a moment ago, in milliseconds: a directory that has more sends the next at once. */
const A_MOMENT = 5

/** Until as many wait as there were, or the moment is over: else those who wait now and those who were answered would take turns. */
function gathered(gathering: Gathering, wanted: number): Promise<void> {
  if (gathering.waiting.length >= wanted) return Promise.resolve()
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer)
      gathering.wanted = 0
      gathering.onWanted = () => {}
      resolve()
    }
    const timer = setTimeout(end, A_MOMENT)
    gathering.wanted = wanted
    gathering.onWanted = end
  })
}

/** Rejections of one user, for which each is provisioned alone. */
const OF_ONE = new Set(['role_protected', 'limit_reached', 'external_id_taken'])

/** @throws what stands against all of them alike: the token is dead, the database is away */
async function makeAll(deps: ScimDeps, some: Waiting[]): Promise<(UserRow | undefined)[]> {
  const [first] = some
  if (!first) return []
  try {
    const emails = some.map(({ person }) => normalizeEmail(person.email))
    const lockAccounts = (tx: Transaction) => lockUsersByEmail(tx, emails)
    const work = async (tx: Transaction, { teamId, permissions }: DirectoryActor) => {
      const users = some.map(({ actor, person }) => fromDirectory(directoryOf({ ...actor, permissions }), person))
      const added = await provisionUsers(tx, deps, teamId, users, { onlyNew: true })
      const stored = some.flatMap(({ person }, index) => {
        const { membershipId } = added[index] ?? {}
        return membershipId ? [{ ...person.stored, membershipId }] : []
      })
      if (!(await userRepository(tx, teamId).keepAll(stored))) throw new NotPlain()
      return some.map(({ person }, index) => {
        const one = added[index]
        return one && rowOf(person, one)
      })
    }
    return await asDirectory(deps, first.actor, 'User', work, lockAccounts)
  } catch (error) {
    const isOfOne = error instanceof AppError && OF_ONE.has(error.code)
    if (error instanceof NotPlain || isOfOne || isRetryable(error)) return some.map(() => undefined)
    throw error
  }
}

/** What was written of a new member, as it would be read. */
function rowOf(
  { email, profile, active, stored }: Newcomer,
  { userId, membershipId, createdAt }: ProvisionedUser,
): UserRow {
  const nothing = { firstName: null, lastName: null, title: null, department: null, phone: null, locale: null }
  return {
    ...nothing,
    externalId: null,
    ...profile,
    userId,
    membershipId,
    createdAt,
    email,
    active,
    updatedAt: createdAt,
    stored,
    groups: [],
  }
}

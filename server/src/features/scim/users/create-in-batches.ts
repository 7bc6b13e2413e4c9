import { AppError } from '../../../platform/app-error.js'
import type { Transaction } from '../../../platform/db/database.js'
import { isRetryable } from '../../../platform/db/database-errors.js'
import type { ScimActor } from '../../../platform/http/actor.js'
import type { ScimTokenId } from '../../../platform/ids.js'
import type { DirectoryProfile } from '../../members/index.js'
import { type ProvisionedUser, provisionUsers, toProvisionedInput } from '../../user-management/index.js'
import { lockUsersByEmail, normalizeEmail } from '../../users/index.js'
import type { ScimDeps } from '../model/deps.js'
import { type DirectoryChange, directoryOf, runAsDirectory } from '../model/run-as-directory.js'
import { type StoredAttributes, type UserRow, userRepository } from './user-repository.js'

/** A user in a request, who may be new to the team. */
export interface NewUser {
  email: string
  profile: DirectoryProfile
  active: boolean
  stored: StoredAttributes
}

/** Creates a new user; returns undefined without any change if a rejection must be determined individually. */
export type CreateInBatches = (actor: ScimActor, user: NewUser) => Promise<UserRow | undefined>

/** The maximum number of users in one transaction. */
const MOST = 32

interface Waiting {
  actor: ScimActor
  user: NewUser
  resolve: (created: UserRow | undefined) => void
  fail: (error: unknown) => void
}

/** The pending users of one token. */
interface Batch {
  waiting: Waiting[]
  /** The queue length to wait for, and the callback that runs when it is reached. */
  target: number
  onTarget: () => void
}

/** Thrown to roll back. */
class NotCreatable extends Error {}

/**
 * Creates users in batches per token: requests that arrive during a transaction share the next one. If any user cannot be created, the
 * whole batch is rolled back and each is processed individually (decision 18).
 */
export function createInBatches(deps: ScimDeps): CreateInBatches {
  const batches = new Map<ScimTokenId, Batch>()

  async function work(token: ScimTokenId, batch: Batch): Promise<void> {
    const { waiting } = batch
    while (waiting.length > 0) {
      const some = waiting.splice(0, MOST)
      try {
        const created = await createAll(deps, some)
        some.forEach(({ resolve }, index) => {
          resolve(created[index])
        })
      } catch (error) {
        for (const { fail } of some) fail(error)
      }
      await waitForMore(batch, Math.min(MOST, some.length + waiting.length))
    }
    batches.delete(token)
  }

  return (actor, user) =>
    new Promise((resolve, fail) => {
      const waiting = { actor, user, resolve, fail }
      const batch = batches.get(actor.scimTokenId)
      if (batch) {
        batch.waiting.push(waiting)
        if (batch.waiting.length >= batch.target) batch.onTarget()
        return
      }
      const begun: Batch = { waiting: [waiting], target: 0, onTarget: () => {} }
      batches.set(actor.scimTokenId, begun)
      void work(actor.scimTokenId, begun)
    })
}

/**
 * How long to wait for clients whose previous request just completed, in milliseconds: a client with more users sends the next one
 * immediately.
 */
const WAIT_MS = 5

/**
 * Waits until as many users are queued as in the last batch, or for `WAIT_MS`. Otherwise two halves of the concurrent requests would
 * alternate.
 */
function waitForMore(batch: Batch, target: number): Promise<void> {
  if (batch.waiting.length >= target) return Promise.resolve()
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer)
      batch.target = 0
      batch.onTarget = () => {}
      resolve()
    }
    const timer = setTimeout(end, WAIT_MS)
    batch.target = target
    batch.onTarget = end
  })
}

/** Rejections of single users, for which each is processed individually. */
const INDIVIDUAL = new Set(['role_protected', 'limit_reached', 'external_id_taken'])

/** @throws errors that concern all of them, such as an invalid token or an unavailable database */
async function createAll(deps: ScimDeps, some: Waiting[]): Promise<(UserRow | undefined)[]> {
  const [first] = some
  if (!first) return []
  try {
    const emails = some.map(({ user }) => normalizeEmail(user.email))
    const lockAccounts = (tx: Transaction) => lockUsersByEmail(tx, emails)
    const work = async ({ tx, directory: { teamId, permissions } }: DirectoryChange) => {
      const users = some.map(({ actor, user }) => toProvisionedInput(directoryOf({ ...actor, permissions }), user))
      const added = await provisionUsers(tx, deps, teamId, users, { onlyNew: true })
      const stored = some.flatMap(({ user }, index) => {
        const { membershipId } = added[index] ?? {}
        return membershipId ? [{ ...user.stored, membershipId }] : []
      })
      if (!(await userRepository(tx, teamId).insertAttributes(stored))) throw new NotCreatable()
      return some.map(({ user }, index) => {
        const one = added[index]
        return one && rowOf(user, one)
      })
    }
    return await runAsDirectory(deps, first.actor, 'User', work, lockAccounts)
  } catch (error) {
    const isIndividual = error instanceof AppError && INDIVIDUAL.has(error.code)
    if (error instanceof NotCreatable || isIndividual || isRetryable(error)) return some.map(() => undefined)
    throw error
  }
}

/** Returns the row of a new member as it would be read. */
function rowOf(
  { email, profile, active, stored }: NewUser,
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

import type { Clock } from '../../platform/clock.js'
import type { Transaction } from '../../platform/db/database.js'
import { isUniqueViolation } from '../../platform/db/database-errors.js'
import type { Mailer } from '../../platform/mail/mailer.js'
import { isTopRole, requireRoleWithin } from '../access/index.js'
import type { Audit } from '../audit/index.js'
import { findUserByEmail, normalizeEmail, writeEmail, writeOwnProfile, writeStatus } from '../identities/index.js'
import {
  type DirectoryProfile,
  dropUncounted,
  keepAnAdmin,
  managesUser,
  memberRefusal,
  updateMembership,
} from '../members/index.js'
import { type DirectoryActor, sourceOf } from './directory-actor.js'
import { endEverythingInTeam } from './end-everything-in-team.js'
import { refusal } from './errors.js'
import type { LockedUser } from './lock-user-of-team.js'
import { addressGivenMail } from './mails.js'

export interface ProvisioningDeps {
  clock: Clock
  audit: Audit
  mailer: Mailer
}

export interface ProvisionedChange {
  email?: string
  profile?: DirectoryProfile
  active?: boolean
}

export interface Provisioned extends LockedUser {
  /** `joined`: the account was there before, the membership was not. */
  outcome: 'created' | 'joined' | 'updated' | 'unchanged'
}

/**
 * A step: a member becomes what the team's directory says, as far as it says anything. The team's own record is written; while the
 * account is the team's alone, the account too: profile, address and status. Whoever is suspended is out at once, everywhere in the team.
 * @param user of `lockUserOfTeam`, or locked in the same way
 * @throws role_protected, last_admin, external_id_taken, user_not_managed and address_taken for an address: then nothing may be kept
 */
export async function changeProvisioned(
  tx: Transaction,
  deps: ProvisioningDeps,
  actor: DirectoryActor,
  user: LockedUser,
  { email, profile = {}, active }: ProvisionedChange,
): Promise<Provisioned> {
  const { clock, audit } = deps
  const { account, membership } = user
  requireRoleWithin(actor, membership.role)
  const { teamId } = actor
  const resource = `user:${account.id}`
  const source = sourceOf(actor)
  const managed = await managesUser(tx, teamId, account.id)

  const address = email === undefined ? account.email : normalizeEmail(email)
  if (address !== account.email) {
    if (!managed) throw memberRefusal('user_not_managed')
    await giveAddress(tx, deps, actor, user, address)
  }
  const written = differing(user, profile, managed)
  const status = active === undefined ? undefined : statusOf(active)
  const accountFollows = status !== undefined && managed && account.status !== status
  const changesStatus = (status !== undefined && membership.status !== status) || accountFollows
  const changed = Object.keys(written)
  if (changed.length === 0 && !changesStatus)
    return {
      ...user,
      account: { ...account, email: address },
      outcome: address === account.email ? 'unchanged' : 'updated',
    }

  let sessionsEnded = 0
  if (changesStatus && status === 'suspended') {
    if (isTopRole(membership.role)) await keepAnAdmin(tx, teamId, account.id)
    // Before the membership is written: a sign-in comes to the two in this order.
    sessionsEnded = await endEverythingInTeam(tx, deps, account.id, teamId, 'suspended')
  }
  const now = clock.now()
  const change = { ...written, ...(changesStatus && { status, tokensSince: now }), updatedAt: now }
  await updateMembership(tx, membership, change)
  const { externalId: _, ...own } = written
  if (managed && Object.keys(own).length > 0) await writeOwnProfile(tx, clock, account.id, own)
  if (accountFollows) await writeStatus(tx, clock, account.id, status)
  if (changed.length > 0)
    await audit.record(tx, actor, 'user.updated', { resource, metadata: { changed: changed.toSorted(), ...source } })
  if (changesStatus)
    await audit.record(tx, actor, status === 'active' ? 'user.activated' : 'user.suspended', {
      resource,
      metadata: status === 'active' ? source : { sessionsEnded, ...source },
    })
  return {
    account: { ...account, ...(managed && own), email: address, ...(accountFollows && { status }) },
    membership: { ...membership, ...change },
    outcome: 'updated',
  }
}

const statusOf = (active: boolean): 'active' | 'suspended' => (active ? 'active' : 'suspended')

/** What of the profile is not written already. What is emptied is so in the account too, where that is the team's: it would show through. */
function differing({ account, membership }: LockedUser, profile: DirectoryProfile, managed: boolean): DirectoryProfile {
  const own: Partial<Record<string, unknown>> = managed ? account : {}
  const differs = ([field, value]: [string, unknown]) =>
    value !== undefined &&
    (value !== membership[field as keyof DirectoryProfile] || (value === null && (own[field] ?? null) !== null))
  return Object.fromEntries(Object.entries(profile).filter(differs))
}

/**
 * The account signs in by another address from now on. That is proven to nobody, whatever the directory says; links that went to the old
 * one are dead, and its owner is told.
 */
async function giveAddress(
  tx: Transaction,
  { clock, audit, mailer }: ProvisioningDeps,
  actor: DirectoryActor,
  { account }: LockedUser,
  to: string,
): Promise<void> {
  if (await findUserByEmail(tx, to)) throw refusal('address_taken')
  await writeEmail(tx, clock, account.id, to, { proven: false }).catch((error: unknown) => {
    throw isUniqueViolation(error, 'users_email') ? refusal('address_taken') : error
  })
  const resource = `user:${account.id}`
  // Teams that merely added the old address had its owner in mind, whoever that is.
  for (const teamId of await dropUncounted(tx, account.id))
    await audit.record(tx, { ...actor, teamId }, 'member.removed', {
      resource,
      metadata: { email: account.email, addressChanged: true },
    })
  await audit.record(tx, actor, 'user.email_changed', {
    resource,
    metadata: { from: account.email, to, ...sourceOf(actor) },
  })
  if (await mailer.maySend(tx, addressGivenMail, account.email))
    await mailer.send(tx, addressGivenMail, account.email, { to })
}

import { secretsEqual } from '../../../platform/crypto/token-hash.js'
import type { Transaction } from '../../../platform/db/database.js'
import type { RequestOrigin } from '../../../platform/http/actor.js'
import type { UserId } from '../../../platform/ids.js'
import { addMember } from '../../members/index.js'
import { issueOneTimeToken } from '../../sessions/index.js'
import { claimInstance, readSettings, recordFirstUser } from '../../settings/index.js'
import { createOrganization, teamNameFrom } from '../../teams/index.js'
import {
  clearRegistrant,
  createUser,
  findUserByEmail,
  lockAccountExclusively,
  lockUserByEmail,
  markEmailVerified,
  normalizeEmail,
  type User,
} from '../../users/index.js'
import type { AccountDeps } from '../deps.js'
import { rejection } from '../errors.js'
import { admitSource, countSourceFailure } from '../limits/sign-in-limits.js'
import { onboardingMail } from '../mails.js'
import { endEverythingBefore, isUnverified } from '../registration/first-verification.js'

/**
 * Appoints the first super-admin: creates the account, or uses the existing one of the email address, creates the team that administers the
 * instance, and mails a sign-in link. Works once; exactly one of several concurrent requests succeeds.
 * @throws already_onboarded, setup_secret_required
 */
export async function onboard(
  deps: AccountDeps,
  adminEmail: string,
  setupSecret: string | undefined,
  origin: RequestOrigin,
): Promise<{ id: UserId; email: string }> {
  const { db, config, mailer } = deps
  const email = normalizeEmail(adminEmail, '/adminEmail')
  await admitSource(deps, 'client', origin)
  if (config.setupSecret && !secretsEqual(setupSecret ?? '', config.setupSecret)) {
    await countSourceFailure(db, deps, 'client', origin)
    throw rejection('setup_secret_required')
  }

  return db.transaction(async (tx) => {
    const settings = await readSettings(tx, true)
    if (settings.onboardedAt) throw rejection('already_onboarded')
    const { user, token } = await appointAdmin(tx, deps, { email, teamName: teamNameFrom(settings.name) }, origin)
    await mailer.send(tx, onboardingMail, email, { url: `${config.frontendUrl}/auth/verify?token=${token}` })
    return { id: user.id, email }
  })
}

/**
 * Creates the account of the first administrator, or uses the existing one, with the team that administers the instance. Runs in the
 * caller's transaction, which has locked the settings and verified that there is no administrator yet.
 * @param method how the administrator is appointed; undefined for a mailed link
 * @returns the account, whether it is new, and the token of a sign-in link, which is not mailed yet
 * @throws invalid_request for a team name with a link or an email address
 */
export async function appointAdmin(
  tx: Transaction,
  deps: AccountDeps,
  { email, teamName, method }: { email: string; teamName: string; method?: 'setup_link' | 'command_line' },
  origin: RequestOrigin,
): Promise<{ user: User; token: string; isNew: boolean }> {
  const { clock, audit, limits } = deps
  const { user, isNew } = await accountOfAdmin(tx, deps, email, origin, { isVerified: method === 'command_line' })
  await recordFirstUser(tx, user.id)
  const team = await createOrganization(tx, clock, limits, { name: teamName, createdBy: user.id })
  const role = 'SUPER_ADMIN'
  await addMember(tx, clock, { userId: user.id, teamId: team.id, role })
  await claimInstance(tx, clock, team.id)
  const token = await issueOneTimeToken(tx, clock, { kind: 'magic_link', userId: user.id, teamId: team.id, email })
  const subject = { userId: user.id, teamId: team.id, origin }
  await audit.record(tx, { ...subject, teamId: null }, 'instance.onboarded', {
    resource: `user:${user.id}`,
    metadata: { email, team: team.id, ...(method && { method }) },
  })
  await audit.record(tx, subject, 'organization.created', {
    resource: `organization:${team.id}`,
    metadata: { name: team.name, slug: team.slug },
  })
  if (isNew)
    await audit.record(tx, subject, 'user.created', {
      resource: `user:${user.id}`,
      metadata: { method: 'onboarding' },
    })
  await audit.record(tx, subject, 'member.added', { resource: `user:${user.id}`, metadata: { role } })
  return { user, token, isNew }
}

/**
 * Creates the account of an administrator, or locks the existing one of the email address. Removes what was created before from an account
 * with an unverified address, because it may belong to another person. Runs in the caller's transaction.
 * @param isVerified whether the operator states that the address belongs to the administrator: without a mailed link, the first sign-in would
 *   otherwise be the first verification, which sets memberships aside
 * @throws account_suspended, already_onboarded if the account was deleted concurrently
 */
export async function accountOfAdmin(
  tx: Transaction,
  deps: AccountDeps,
  email: string,
  origin: RequestOrigin,
  { isVerified }: { isVerified: boolean },
): Promise<{ user: User; isNew: boolean }> {
  const { clock } = deps
  const created = await createUser(tx, clock, { email, selfRegistered: false, emailVerified: isVerified })
  if (created) return { user: created, isNew: true }
  // The email address has an account, perhaps from a concurrent request.
  const known = await findUserByEmail(tx, email)
  if (known) await lockAccountExclusively(tx, known.id)
  const existing = known && (await lockUserByEmail(tx, email))
  if (!existing) throw rejection('already_onboarded')
  if (existing.status === 'suspended') throw rejection('account_suspended')
  if (isUnverified(existing)) {
    await endEverythingBefore(tx, deps, { userId: existing.id, teamId: null, origin })
    await clearRegistrant(tx, clock, existing.id)
    if (isVerified) await recordVouched(tx, deps, existing.id, origin)
  }
  return { user: existing, isNew: false }
}

/** Records the email address as verified. Runs in the caller's transaction. */
async function recordVouched(tx: Transaction, { clock, audit }: AccountDeps, userId: UserId, origin: RequestOrigin) {
  await markEmailVerified(tx, clock, userId)
  await audit.record(tx, { userId: null, teamId: null, origin }, 'user.email_verified', { resource: `user:${userId}` })
}

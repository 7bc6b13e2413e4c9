import type { RequestOrigin } from '../../platform/http/actor.js'
import type { JobKind } from '../../platform/jobs/jobs.js'
import { findUserByEmail, lockUser, normalizeEmail } from '../identities/index.js'
import { openTeamsOf } from '../members/index.js'
import { issueOneTimeToken } from '../sessions/index.js'
import type { AccountDeps } from './deps.js'
import { magicLinkMail, passwordResetMail } from './mails.js'
import { admitLinkRequest } from './sign-in-limits.js'

const KINDS = {
  magic_link: { mail: magicLinkMail, path: '/auth/verify' },
  password_reset: { mail: passwordResetMail, path: '/reset-password' },
} as const

export type LinkKind = keyof typeof KINDS

/**
 * Notes that somebody asked for a link, and nothing else: whether the address has an account is looked up by a job, so that
 * neither the answer nor its time can tell.
 * @throws rate_limited when one source asks without end
 */
export async function requestLink(
  deps: AccountDeps,
  kind: LinkKind,
  email: string,
  origin: RequestOrigin,
): Promise<void> {
  await admitLinkRequest(deps, origin)
  const payload = { kind, email: normalizeEmail(email), origin }
  await deps.db.transaction((tx) => deps.jobs.enqueue(tx, 'accounts.send_link', payload))
}

/** Makes and mails the link, if the address has an account that is not suspended. */
export const sendLinkJob = (deps: AccountDeps): JobKind => ({
  kind: 'accounts.send_link',
  run: (payload) => sendLink(deps, payload as unknown as { kind: LinkKind; email: string; origin: RequestOrigin }),
})

async function sendLink(
  { db, clock, audit, config, mailer }: AccountDeps,
  { kind, email, origin }: { kind: LinkKind; email: string; origin: RequestOrigin },
): Promise<void> {
  const { mail, path } = KINDS[kind]
  await db.transaction(async (tx) => {
    const found = await findUserByEmail(tx, email)
    // Locked: of two links asked for at once the later one kills the earlier.
    const user = found && (await lockUser(tx, found.id))
    if (user?.status !== 'active') return
    const allowed = await mailer.maySend(tx, mail, email)
    if (allowed) {
      const token = await issueOneTimeToken(tx, clock, { kind, userId: user.id, email })
      const address = kind === 'password_reset' ? `&email=${encodeURIComponent(email)}` : ''
      await mailer.send(tx, mail, email, { url: `${config.frontendUrl}${path}?token=${token}${address}` })
    }
    const [team] = await openTeamsOf(tx, user.id)
    await audit.record(tx, { userId: user.id, teamId: team?.id ?? null, origin }, 'user.link_requested', {
      result: allowed ? 'SUCCESS' : 'DENIED',
      resource: `user:${user.id}`,
      metadata: { kind },
    })
  })
}

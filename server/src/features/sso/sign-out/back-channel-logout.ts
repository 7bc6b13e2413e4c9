import { and, eq, isNull, or, type SQL } from 'drizzle-orm'
import { AppError } from '../../../platform/app-error.js'
import { fromNow, MINUTE } from '../../../platform/clock.js'
import type { RequestOrigin } from '../../../platform/http/actor.js'
import { type LogoutNotice, verifyLogoutToken } from '../../../protocols/id-token/index.js'
import { oauthError } from '../../../protocols/oauth/index.js'
import { admitSource, countSourceFailure } from '../../authentication/index.js'
import type { SsoDeps } from '../model/deps.js'
import { ProviderError } from '../model/provider-error.js'
import { findAnyProvider } from '../model/repository.js'
import { consumeMessage } from '../model/seen-messages.js'
import { AT_MOST_EVERY } from '../oidc/oidc-providers.js'
import { FAILURE_KIND } from '../sign-in/complete-sign-in.js'
import { endNamedSessions, type KnownBy } from './end-named-sessions.js'

/** Longer than a logout token is accepted. */
const REMEMBERED = 10 * MINUTE

/**
 * Ends the sessions that a logout token names, with their grants to applications, and the sign-ins that wait for a second factor
 * (OpenID Connect Back-Channel Logout 2.6). Accepts each token once. Counts a rejected token against its source.
 * @throws rate_limited, invalid_request (RFC 6749 5.2) for an invalid token and for an unknown provider
 */
export async function backChannelLogout(
  deps: SsoDeps,
  id: string,
  token: string,
  origin: RequestOrigin,
): Promise<void> {
  await admitSource(deps.accounts, FAILURE_KIND, origin)
  try {
    await endByToken(deps, id, token, origin)
  } catch (error) {
    if (error instanceof AppError && error.status === 400)
      await countSourceFailure(deps.db, deps.accounts, FAILURE_KIND, origin)
    throw error
  }
}

async function endByToken(deps: SsoDeps, id: string, token: string, origin: RequestOrigin): Promise<void> {
  const { db, clock } = deps
  const provider = await db.transaction((tx) => findAnyProvider(tx, id))
  if (provider?.protocol !== 'OIDC') throw oauthError('invalid_request', { detail: 'Unknown provider' })
  const keys = await deps.oidcProviders.keysFor(provider, token, AT_MOST_EVERY).catch((error: unknown) => {
    if (!(error instanceof ProviderError)) throw error
    throw oauthError('invalid_request', { detail: 'The signing keys of the provider cannot be read' })
  })
  const { notice, checks } = verifyLogoutToken({
    token,
    issuer: provider.oidcIssuer ?? '',
    clientId: provider.oidcClientId ?? '',
    keys,
    now: clock.ms(),
  })
  const failed = checks.filter(({ status }) => status === 'failed').map((check) => check.id)
  if (!notice) throw oauthError('invalid_request', { detail: `The logout token is not valid: ${failed.join(', ')}` })

  await db.transaction(async (tx) => {
    const message = { providerId: provider.id, id: notice.jti, until: fromNow(clock, REMEMBERED) }
    if (!(await consumeMessage(tx, message)))
      throw oauthError('invalid_request', { detail: 'The logout token has already been used' })
    await endNamedSessions(tx, deps, provider, (known) => matchesNotice(notice, known), origin)
  })
}

const matchesNotice = ({ subject, sid }: LogoutNotice, known: KnownBy): SQL | undefined =>
  and(
    subject === undefined ? undefined : eq(known.subject, subject),
    sid === undefined ? undefined : isOrMayBe(sid, subject, known),
  )

/** A session without a stored `sid` may be the one that is named, if the subject matches. */
const isOrMayBe = (sid: string, subject: string | undefined, { sessionIndex }: KnownBy): SQL | undefined =>
  subject === undefined ? eq(sessionIndex, sid) : or(eq(sessionIndex, sid), isNull(sessionIndex))

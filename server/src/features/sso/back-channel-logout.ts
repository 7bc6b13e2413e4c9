import { and, eq, isNull, or, type SQL } from 'drizzle-orm'
import { AppError } from '../../platform/app-error.js'
import { fromNow, MINUTE } from '../../platform/clock.js'
import type { RequestOrigin } from '../../platform/http/actor.js'
import { oauthError } from '../../platform/http/oauth-dialect.js'
import { type LogoutNotice, verifyLogoutToken } from '../../protocols/id-token/index.js'
import { readCompactJwt } from '../../protocols/jws/index.js'
import { admitSource, countSourceFailure } from '../authentication/index.js'
import { FAILURES } from './complete-sign-in.js'
import type { SsoDeps } from './deps.js'
import { endNamed, type KnownBy } from './end-named.js'
import { AT_MOST_EVERY } from './oidc-providers.js'
import { ProviderFault } from './provider-fault.js'
import { findAnyProvider } from './repository.js'
import { takeMessage } from './seen-messages.js'

/** Longer than a token is believed. */
const REMEMBERED = 10 * MINUTE

/**
 * A provider says that somebody has signed out there: the sessions that it opened here for them are over, on every node, and so is
 * what they gave to applications, and what waits for a second factor. A token counts once. What is refused is counted against its source.
 * @throws rate_limited, invalid_request (RFC 6749 5.2) for every token that is not right, and for every provider that there is not
 */
export async function backChannelLogout(
  deps: SsoDeps,
  id: string,
  token: string,
  origin: RequestOrigin,
): Promise<void> {
  await admitSource(deps.accounts, FAILURES, origin)
  try {
    await endByToken(deps, id, token, origin)
  } catch (error) {
    if (error instanceof AppError && error.status === 400)
      await countSourceFailure(deps.db, deps.accounts, FAILURES, origin)
    throw error
  }
}

async function endByToken(deps: SsoDeps, id: string, token: string, origin: RequestOrigin): Promise<void> {
  const { db, clock } = deps
  const provider = await db.transaction((tx) => findAnyProvider(tx, id))
  if (provider?.protocol !== 'OIDC') throw oauthError('invalid_request', { detail: 'There is no such provider' })
  const named = readCompactJwt(token)?.header.kid
  const keys = await deps.oidcProviders.keysOf(provider, named, { pause: AT_MOST_EVERY }).catch((error: unknown) => {
    if (!(error instanceof ProviderFault)) throw error
    throw oauthError('invalid_request', { detail: 'The keys of the provider cannot be read' })
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
    if (!(await takeMessage(tx, message)))
      throw oauthError('invalid_request', { detail: 'The logout token was used already' })
    await endNamed(tx, deps, provider, (known) => meantBy(notice, known), origin)
  })
}

const meantBy = ({ subject, sid }: LogoutNotice, known: KnownBy): SQL | undefined =>
  and(
    subject === undefined ? undefined : eq(known.subject, subject),
    sid === undefined ? undefined : isOrMayBe(sid, subject, known),
  )

/** A provider that did not name its session at the sign-in may mean any of the subject's. */
const isOrMayBe = (sid: string, subject: string | undefined, { sessionIndex }: KnownBy): SQL | undefined =>
  subject === undefined ? eq(sessionIndex, sid) : or(eq(sessionIndex, sid), isNull(sessionIndex))

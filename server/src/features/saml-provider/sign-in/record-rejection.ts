import type { AppError } from '../../../platform/app-error.js'
import { logForUnverified } from '../../authentication/index.js'
import { countClientFailure } from '../../oidc-provider/index.js'
import type { SamlProviderDeps } from '../model/deps.js'
import type { ServiceProvider } from '../model/service-provider.js'
import { findSession, type SignInBrowser } from './decide.js'

/**
 * Records a failed sign-in that is shown on the error page instead of being sent to the application. Counts it against the source. Entries
 * about browsers without a session, and about users without a confirmed membership, are limited and do not name the user.
 * @param more additional metadata of the entry
 */
export async function recordRejection(
  deps: SamlProviderDeps,
  sp: Pick<ServiceProvider, 'id' | 'teamId'>,
  { code, status }: Pick<AppError, 'code' | 'status'>,
  browser: SignInBrowser,
  more: Record<string, unknown> = {},
): Promise<void> {
  const { db, audit } = deps
  const { origin } = browser
  await db.transaction(async (tx) => {
    const found = await findSession(tx, deps, sp, browser)
    // The team must not learn which user was rejected before that user has confirmed the membership.
    const session = found?.isMembershipUnconfirmed ? undefined : found
    if (!session) await countClientFailure(tx, deps, origin)
    const teamId = session ? sp.teamId : await logForUnverified(tx, deps, sp.teamId)
    await audit.record(tx, { userId: session?.userId ?? null, teamId, origin }, 'application.saml_signed_in', {
      result: status === 403 ? 'DENIED' : 'FAILURE',
      resource: `application:${sp.id}`,
      metadata: { reason: code, ...more },
    })
  })
}

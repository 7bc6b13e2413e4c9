import type { AppError } from '../../platform/app-error.js'
import { logOfOutsider } from '../authentication/index.js'
import { countClientFailure } from '../oidc-provider/index.js'
import { findSession, type Visitor } from './decide.js'
import type { SamlProviderDeps } from './deps.js'
import type { ServiceProvider } from './service-provider.js'

/**
 * Records that somebody was not signed in to an application, and is told so by a page of ours and not by the application. It counts for
 * its source. The team's log has a limited number of entries of visitors without a session and of users without a confirmed membership, and does
 * not name these users.
 * @param more of the entry's metadata
 */
export async function recordRejection(
  deps: SamlProviderDeps,
  sp: Pick<ServiceProvider, 'id' | 'teamId'>,
  { code, status }: Pick<AppError, 'code' | 'status'>,
  visitor: Visitor,
  more: Record<string, unknown> = {},
): Promise<void> {
  const { db, audit } = deps
  const { origin } = visitor
  await db.transaction(async (tx) => {
    const found = await findSession(tx, deps, sp, visitor)
    // A team does not learn who is refused before the user has agreed to belong to it.
    const session = found?.unconfirmed ? undefined : found
    if (!session) await countClientFailure(tx, deps, origin)
    const teamId = session ? sp.teamId : await logOfOutsider(tx, deps, sp.teamId)
    await audit.record(tx, { userId: session?.userId ?? null, teamId, origin }, 'application.saml_signed_in', {
      result: status === 403 ? 'DENIED' : 'FAILURE',
      resource: `application:${sp.id}`,
      metadata: { reason: code, ...more },
    })
  })
}

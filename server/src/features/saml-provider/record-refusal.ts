import type { AppError } from '../../platform/app-error.js'
import { logOfStranger } from '../accounts/index.js'
import { countClientFailure } from '../oidc-provider/index.js'
import { findSession, type Visitor } from './decide.js'
import type { SamlProviderDeps } from './deps.js'
import type { ServiceProvider } from './service-provider.js'

/**
 * Records that somebody was not signed in to an application, and is told so by a page of ours and not by the application. It counts for
 * its source; of people whom no session names the team's log takes so many.
 * @param more of the entry's metadata
 */
export async function recordRefusal(
  deps: SamlProviderDeps,
  sp: Pick<ServiceProvider, 'id' | 'teamId'>,
  { code, status }: Pick<AppError, 'code' | 'status'>,
  visitor: Visitor,
  more: Record<string, unknown> = {},
): Promise<void> {
  const { db, audit } = deps
  const { origin } = visitor
  await db.transaction(async (tx) => {
    const session = await findSession(tx, deps, sp, visitor)
    if (!session) await countClientFailure(tx, deps, origin)
    const teamId = session ? sp.teamId : await logOfStranger(tx, deps, sp.teamId)
    await audit.record(tx, { userId: session?.userId ?? null, teamId, origin }, 'application.saml_signed_in', {
      result: status === 403 ? 'DENIED' : 'FAILURE',
      resource: `application:${sp.id}`,
      metadata: { reason: code, ...more },
    })
  })
}

import { AppError } from '../../platform/app-error.js'
import { findSession, type Visitor } from './decide.js'
import type { SamlProviderDeps } from './deps.js'
import type { ServiceProvider } from './service-provider.js'

/** What says nothing of the application and its user: the request is over, or there are too many. */
const PASSING = [404, 429]

/**
 * Records in the application's team that somebody who is signed in was refused, unless it has been. What strangers are refused leaves no
 * entry: they could leave as many as they like.
 */
export async function recordRefusal(
  deps: SamlProviderDeps,
  sp: ServiceProvider,
  error: unknown,
  visitor: Visitor,
): Promise<void> {
  if (!(error instanceof AppError) || error.status >= 500 || error.recorded || PASSING.includes(error.status)) return
  const { code, status } = error
  error.recorded = await deps.db.transaction(async (tx) => {
    const session = await findSession(tx, deps, sp, visitor)
    if (!session) return false
    const actor = { userId: session.userId, teamId: sp.teamId, origin: visitor.origin }
    await deps.audit.record(tx, actor, 'application.saml_signed_in', {
      result: status === 403 ? 'DENIED' : 'FAILURE',
      resource: `application:${sp.id}`,
      metadata: { reason: code },
    })
    return true
  })
}

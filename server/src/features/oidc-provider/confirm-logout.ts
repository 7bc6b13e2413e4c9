import { logOutCaller } from '../accounts/index.js'
import type { OidcProviderDeps } from './deps.js'
import { endPendingLogout, readPendingLogout } from './pending-logout.js'

/**
 * The user confirms a sign-out that an application asked for: the session of whoever confirms it ends.
 * @returns where the browser goes: first to the applications of SAML that are to be told, in the end to where the application wants it;
 * null for our own page
 * @throws logout_not_found, unauthorized, invalid_access_token
 */
export async function confirmLogout(
  deps: OidcProviderDeps,
  resume: string,
  caller: Parameters<typeof logOutCaller>[1],
): Promise<string | null> {
  const { application, saml, redirectTo } = await readPendingLogout(deps, resume)
  const session = await logOutCaller(deps, caller, application ?? undefined)
  await endPendingLogout(deps, resume)
  if (!session || saml) return redirectTo
  return (await deps.leaveApplications(session, redirectTo ?? `${deps.config.frontendUrl}/logged-out`)) ?? redirectTo
}

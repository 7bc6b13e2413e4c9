import { logOutCaller } from '../../authentication/index.js'
import type { OidcProviderDeps } from '../model/deps.js'
import { deletePendingLogout, readPendingLogout } from './pending-logout.js'

/**
 * The user confirms a sign-out that an application asked for: the session of whoever confirms it ends.
 * @returns where the browser goes: first to the applications of SAML that are to be told and to the provider of SAML that opened the
 * session, in the end to where the application wants it;
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
  await deletePendingLogout(deps, resume)
  if (!session || saml) return redirectTo
  const after = redirectTo === null ? { returnTo: null } : { registered: redirectTo }
  return (await deps.leaveSession(session, after, caller.origin)) ?? redirectTo
}

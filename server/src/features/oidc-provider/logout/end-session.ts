import { tokenHash } from '../../../platform/crypto/token-hash.js'
import type { Runner, Transaction } from '../../../platform/db/database.js'
import { namedQuery } from '../../../platform/db/named-query.js'
import type { RequestOrigin } from '../../../platform/http/actor.js'
import type { ApplicationId, SessionId, TeamId, UserId } from '../../../platform/ids.js'
import { readCompactJwt, verifyCompactJwt } from '../../../protocols/jws/index.js'
import { oauthError } from '../../../protocols/oauth/index.js'
import { isAdmitted } from '../../members/index.js'
import { keysOfIssuer } from '../../oidc-config/index.js'
import { endSessions, isActiveSession, isSignedInBy } from '../../sessions/index.js'
import { type Client, findClientOf } from '../model/client.js'
import type { OidcProviderDeps } from '../model/deps.js'
import { findIssuer } from '../model/find-issuer.js'
import { type Issuer, type IssuerPath, issuerPathIn } from '../model/issuer.js'
import { storePendingLogout } from './pending-logout.js'

interface LiveSession {
  id: SessionId
  user_id: UserId
  organization_id: TeamId
  confined_team_id: TeamId | null
}

const sessionOfCookie = namedQuery<LiveSession, [Buffer, Date]>(
  'oidc_provider.session_of_cookie',
  `SELECT id, user_id, organization_id, confined_team_id FROM sessions s
   WHERE sso_hash = $1 AND kind = 'session' AND ${isActiveSession('s', '$2')}`,
)

// As for a signed request of a SAML application: only a session in which the application was used, and only while its team may act on it.
const signedInTo = namedQuery<{ id: SessionId }, [SessionId, ApplicationId]>(
  'oidc_provider.signed_in_to',
  `SELECT g.id FROM sessions g JOIN applications a ON a.id = g.application_id JOIN users u ON u.id = g.user_id
     JOIN memberships m ON m.user_id = g.user_id AND m.organization_id = a.organization_id
   WHERE g.parent_id = $1 AND g.application_id = $2 AND g.kind = 'grant' AND ${isSignedInBy('g')}
     AND ${isAdmitted('m', 'u', 'g.confined_team_id')} LIMIT 1`,
)

export interface SignOut {
  /** The next URL: the registered redirect, a page of the console, or first a SAML application or provider to notify. */
  redirectTo: string
  /** Whether the session of the browser's cookie was ended. */
  isSessionEnded: boolean
}

interface EndSessionRequest {
  params: URLSearchParams
  ssoToken: string | undefined
  origin: RequestOrigin
}

/**
 * RP-initiated logout (OpenID Connect RP-Initiated Logout 1.0, 2). A valid ID token of an application to which the user is signed in from the
 * browser's session ends the session at once. Without one, the user must confirm the sign-out on a page of
 * Keyward. A browser without an active session is redirected at once. Every redirect goes to a registered URL or to a page of Keyward.
 * @throws issuer_not_found, invalid_request
 */
export async function endSession(
  deps: OidcProviderDeps,
  path: IssuerPath | undefined,
  { params, ssoToken, origin }: EndSessionRequest,
): Promise<SignOut> {
  const { db, clock, config } = deps
  const issuer = await findIssuer(deps, path, origin)
  if (new Set(params.keys()).size < [...params].length) throw notValid('a parameter is repeated')
  const { redirectTo, session, registeredRedirect } = await db.transaction(async (tx) => {
    const hint = await readHint(tx, deps, issuer, params.get('id_token_hint'))
    const client = await clientOf(tx, deps, issuer, params, hint)
    const registeredRedirect = redirectOf(params, client)
    const redirectTo = registeredRedirect ?? `${config.frontendUrl}/logged-out`

    // Without the browser's session there is no session to end: an ID token alone is not sufficient.
    const [session] = ssoToken ? await tx.run(sessionOfCookie, [tokenHash(ssoToken), clock.now()]) : []
    if (!session) return { redirectTo, session: undefined, registeredRedirect }
    if (!(await isOfSession(tx, hint, client, session))) {
      const resume = await storePendingLogout(tx, clock, {
        application: client?.id ?? null,
        session: session.id,
        redirectTo: registeredRedirect ?? null,
      })
      const page = `${config.frontendUrl}/logout?${new URLSearchParams({ resume })}`
      return { redirectTo: page, session: undefined, registeredRedirect }
    }
    await endSessions(tx, clock, { session: session.id }, 'logout')
    const subject = { userId: session.user_id, teamId: session.organization_id, origin }
    await deps.audit.record(tx, subject, 'user.logout', {
      resource: `session:${session.id}`,
      ...(client && { metadata: { application: client.id } }),
    })
    return { redirectTo, session: session.id, registeredRedirect }
  })
  if (!session) return { redirectTo, isSessionEnded: false }
  const after = registeredRedirect === undefined ? { returnTo: null } : { registered: registeredRedirect }
  return { redirectTo: (await deps.leaveSession(session, after, origin)) ?? redirectTo, isSessionEnded: true }
}

/**
 * Returns whether the hint names the user of the browser's session, and that session has signed in to the application. A team can sign
 * arbitrary tokens with imported keys, can sign in as its members and may have stored ID tokens of former members. None of these may end a
 * session without a confirmation.
 */
async function isOfSession(
  runner: Runner,
  hint: Hint | undefined,
  client: Client | undefined,
  session: LiveSession,
): Promise<boolean> {
  if (!hint || !client || hint.userId !== session.user_id) return false
  const [known] = await runner.run(signedInTo, [session.id, client.id])
  return known !== undefined
}

interface Hint {
  userId: UserId
  clientId: string
}

const notValid = (detail: string) => oauthError('invalid_request', { detail })

/** Verifies the signature of the ID token hint, but not its expiry. @throws invalid_request */
async function readHint(
  runner: Runner,
  { clock, config, signingKeys }: OidcProviderDeps,
  issuer: Issuer,
  text: string | null,
): Promise<Hint | undefined> {
  if (!text) return undefined
  const jwt = readCompactJwt(text)
  const named = jwt && issuerPathIn(config.baseUrl, jwt.claims.iss)
  const { sub, aud } = jwt?.claims ?? {}
  if (!jwt || !named || !isOfIssuer(named, issuer)) throw notOfIssuer()
  // Only a key of the issuer that the token names: keys of two applications may have the same ID.
  const keys = await signingKeys.at(runner, issuer.team.id, issuer.keyVersion)
  const { all } = keysOfIssuer(keys, applicationOf(named, issuer), clock.now())
  if (!verifyCompactJwt(jwt, all, null)) throw notOfIssuer()
  if (typeof sub !== 'string' || typeof aud !== 'string') throw notValid('the id_token_hint names no user or no client')
  return { userId: sub as UserId, clientId: aud }
}

const notOfIssuer = () => notValid('this issuer did not issue the id_token_hint')

/** Returns the application of an issuer of the team; null for the issuer of the team. */
const applicationOf = ({ first, second }: IssuerPath, { team }: Issuer): ApplicationId | null =>
  second ?? (first === team.id ? null : (first as ApplicationId))

/** Returns whether a named issuer belongs to the team and, at the issuer of an application, to that application. */
function isOfIssuer(named: IssuerPath, issuer: Issuer): boolean {
  const { team, applicationId } = issuer
  const application = applicationOf(named, issuer)
  if (named.second && named.first !== team.id) return false
  return application === null || applicationId === null || application === applicationId
}

/** @throws invalid_request for an unknown client, or one that differs from the hint */
async function clientOf(
  tx: Transaction,
  { clients }: OidcProviderDeps,
  issuer: Issuer,
  params: URLSearchParams,
  hint: Hint | undefined,
): Promise<Client | undefined> {
  const named = params.get('client_id') ?? undefined
  if (hint && named !== undefined && named !== hint.clientId)
    throw notValid('client_id does not match the id_token_hint')
  const clientId = hint?.clientId ?? named
  if (clientId === undefined) return issuer.applicationId ? clients.of(tx, issuer.applicationId) : undefined
  const client = await findClientOf(tx, clients, issuer, clientId)
  if (!client && !hint) throw notValid('the client is unknown')
  return client
}

/** Returns the requested redirect with `state`. @throws invalid_request if it is not registered */
function redirectOf(params: URLSearchParams, client: Client | undefined): string | undefined {
  const wanted = params.get('post_logout_redirect_uri')
  if (!wanted) return undefined
  const registered = client?.postLogoutRedirectUris.length
    ? client.postLogoutRedirectUris
    : (client?.redirectUris ?? [])
  if (!registered.includes(wanted)) throw notValid('the post_logout_redirect_uri is not registered')
  const state = params.get('state')
  if (state === null) return wanted
  // Append to the string, so that the registered URI stays unchanged.
  return `${wanted}${wanted.includes('?') ? '&' : '?'}${new URLSearchParams({ state })}`
}

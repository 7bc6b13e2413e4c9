import { tokenHash } from '../../../platform/crypto/token-hash.js'
import type { Transaction } from '../../../platform/db/database.js'
import type { RequestOrigin } from '../../../platform/http/actor.js'
import type { PostForm } from '../../../platform/http/post-form-page.js'
import { countUnverified } from '../../authentication/index.js'
import { teamError } from '../../teams/index.js'
import type { EngineResponse } from '../engine/engine.js'
import type { EngineSession } from '../engine/engine-context.js'
import { runEngine } from '../engine/run-engine.js'
import { findClientOf } from '../model/client.js'
import type { OidcProviderDeps } from '../model/deps.js'
import { findIssuer } from '../model/find-issuer.js'
import type { IssuerPath } from '../model/issuer.js'
import { type ApplicationSignIn, evaluateApplicationPolicies } from './application-policies.js'
import { narrowClaimsParameter, replaceUnsupportedModes } from './authorize-parameters.js'
import { findEngineSession } from './browser-session.js'
import { formOfResponse } from './form-response.js'
import { takePushedRequest } from './push-request.js'

interface AuthorizeRequest {
  queryString: string
  /** The cookie of the browser's session. */
  ssoToken: string | undefined
  /** The browser's device cookie. */
  deviceToken: string | undefined
  /** The cookie that binds the request to the browser. */
  browserToken: string
  origin: RequestOrigin
}

/**
 * Handles an authorization request (RFC 6749 4.1.1, OpenID Connect Core 3.1.2). Issues a code if the session and an earlier consent allow
 * it, otherwise redirects to the sign-in or consent page. Returns a form for `response_mode=form_post`. Returns 400 without a redirect if
 * the client or redirect URI is invalid.
 * @throws issuer_not_found, team_suspended, rate_limited
 */
export async function authorize(
  deps: OidcProviderDeps,
  path: IssuerPath | undefined,
  { queryString, ssoToken, deviceToken, browserToken, origin }: AuthorizeRequest,
): Promise<EngineResponse | { form: PostForm }> {
  const { db, audit, clients } = deps
  const issuer = await findIssuer(deps, path, origin)
  if (!issuer.team.isActive) throw teamError('team_suspended')
  const sent = new URLSearchParams(queryString)
  return db.transaction(async (tx) => {
    const query = replaceUnsupportedModes((await takePushedRequest(tx, deps, issuer, sent)) ?? sent)
    const client = await findClientOf(tx, clients, issuer, query.get('client_id') ?? undefined)
    narrowClaimsParameter(query, client)
    const found = client && ssoToken ? await findEngineSession(tx, deps, { ssoToken }, client.id) : undefined
    const signIn = client && { application: client.id, team: issuer.team.id, origin, deviceToken }
    const disclosed = found?.isMembershipUnconfirmed && isPromptNone(query) ? undefined : found
    const session = disclosed && signIn && (await applyPolicies(tx, deps, disclosed, signIn))
    const { response, outcome } = await runEngine(
      tx,
      deps,
      issuer,
      client,
      {
        session,
        browserHash: tokenHash(browserToken),
        requestedScope: query.get('scope') ?? undefined,
      },
      { method: 'GET', path: `/authorize?${query}`, publicUrl: `${issuer.url}/authorize` },
    )
    // Anyone who knows a client ID can send such requests, and each stores an interaction.
    if (outcome.interactionUid && !session) await countUnverified(tx, deps, origin)
    if (client && session && outcome.grantId)
      await audit.record(tx, { userId: session.userId, teamId: issuer.team.id, origin }, 'application.signed_in', {
        resource: `application:${client.id}`,
        metadata: { grant: outcome.grantId, scopes: outcome.scopes },
      })
    return client && outcome.form ? { form: await formOfResponse(tx, client, outcome.form) } : response
  })
}

/**
 * Returns whether the request must not show a page. Any web page can make its visitors send such a request. A user without a confirmed
 * membership gets the response of a browser without a session: the error must not disclose that the user is signed in.
 */
const isPromptNone = (query: URLSearchParams): boolean => (query.get('prompt') ?? '').split(' ').includes('none')

/** Returns the session after the team's policies. A session without a required factor or password change is ignored, so the user signs in again. */
async function applyPolicies(
  tx: Transaction,
  deps: OidcProviderDeps,
  session: EngineSession,
  signIn: ApplicationSignIn,
): Promise<EngineSession | undefined> {
  // Evaluating policies would disclose the user to a team that the user has not joined. They are evaluated at the consent.
  if (session.isMembershipUnconfirmed) return session
  const decision = await evaluateApplicationPolicies(tx, deps, session, signIn)
  if (decision === 'second_factor' || decision === 'password_change') return undefined
  return decision === 'denied' ? { ...session, mayUse: false } : session
}

import { tokenHash } from '../../../platform/crypto/token-hash.js'
import type { Transaction } from '../../../platform/db/database.js'
import type { RequestOrigin } from '../../../platform/http/actor.js'
import { countUnproven } from '../../authentication/index.js'
import { teamError } from '../../teams/index.js'
import type { EngineResponse } from '../engine/engine.js'
import type { EngineSession } from '../engine/engine-context.js'
import { runEngine } from '../engine/run-engine.js'
import type { OidcProviderDeps } from '../model/deps.js'
import { findClientOf } from '../model/find-client.js'
import { findIssuer } from '../model/find-issuer.js'
import type { IssuerPath } from '../model/issuer.js'
import { type AskedFor, askApplicationRules } from './application-policies.js'
import { narrowClaimsParameter, replaceUnsupportedModes } from './authorize-parameters.js'
import { findEngineSession } from './browser-session.js'
import { takePushedRequest } from './push-request.js'

interface AuthorizeRequest {
  queryString: string
  /** The cookie of the browser's session. */
  ssoToken: string | undefined
  /** The browser's device cookie. */
  deviceToken: string | undefined
  /** The cookie that binds what begins here to the browser. */
  browserToken: string
  origin: RequestOrigin
}

/**
 * An authorize request (RFC 6749 4.1.1, OpenID Connect Core 3.1.2): a code at once where a session and an earlier consent allow
 * it, else on to the sign-in or consent page. A request whose client or redirect URI is wrong is answered 400 and sent nowhere.
 * @throws issuer_not_found, team_suspended, rate_limited
 */
export async function authorize(
  deps: OidcProviderDeps,
  path: IssuerPath | undefined,
  { queryString, ssoToken, deviceToken, browserToken, origin }: AuthorizeRequest,
): Promise<EngineResponse> {
  const { db, audit, clients } = deps
  const issuer = await findIssuer(db, deps, path, origin)
  if (!issuer.team.active) throw teamError('team_suspended')
  const sent = new URLSearchParams(queryString)
  return db.transaction(async (tx) => {
    const query = replaceUnsupportedModes((await takePushedRequest(tx, deps, issuer, sent)) ?? sent)
    const client = await findClientOf(tx, clients, issuer, query.get('client_id') ?? undefined)
    narrowClaimsParameter(query, client)
    const found = client && ssoToken ? await findEngineSession(tx, deps, { ssoToken }, client.id) : undefined
    const asked = client && { application: client.id, team: issuer.team.id, origin, deviceToken }
    const shown = found?.unconfirmed && isPromptNone(query) ? undefined : found
    const session = shown && asked && (await applyPolicies(tx, deps, shown, asked))
    const { answer, outcome } = await runEngine(
      tx,
      deps,
      issuer,
      client,
      {
        ...(session && { session }),
        browserHash: tokenHash(browserToken),
        requestedScope: query.get('scope') ?? undefined,
      },
      { method: 'GET', path: `/authorize?${query}`, publicUrl: `${issuer.url}/authorize` },
    )
    // Anyone who knows a client ID can send such requests, and each stores an interaction.
    if (outcome.interaction && !session) await countUnproven(tx, deps, origin)
    if (client && session && outcome.grantId)
      await audit.record(tx, { userId: session.userId, teamId: issuer.team.id, origin }, 'application.signed_in', {
        resource: `application:${client.id}`,
        metadata: { grant: outcome.grantId, scopes: outcome.scopes },
      })
    return answer
  })
}

/**
 * Whether the request is answered without a page. Any team can send any visitor of its web page here so. A user who has not agreed to belong
 * to the team gets the answer of a visitor without a session: the error must not show that the user is signed in.
 */
const isPromptNone = (query: URLSearchParams): boolean => (query.get('prompt') ?? '').split(' ').includes('none')

/** The session as far as the team's rules let it count: one that lacks a second factor or a new password must sign in, like none at all. */
async function applyPolicies(
  tx: Transaction,
  deps: OidcProviderDeps,
  session: EngineSession,
  asked: AskedFor,
): Promise<EngineSession | undefined> {
  // The team learns nothing of a user who has not agreed to belong to it: the rules are evaluated when the user does.
  if (session.unconfirmed) return session
  const rules = await askApplicationRules(tx, deps, session, asked)
  if (rules === 'second_factor' || rules === 'password_change') return undefined
  return rules === 'refused' ? { ...session, mayUse: false } : session
}

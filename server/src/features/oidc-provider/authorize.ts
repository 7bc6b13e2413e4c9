import { tokenHash } from '../../platform/crypto/token-hash.js'
import type { Transaction } from '../../platform/db/database.js'
import type { RequestOrigin } from '../../platform/http/actor.js'
import { countUnproven } from '../authentication/index.js'
import { teamError } from '../teams/index.js'
import { type AskedFor, askApplicationRules } from './ask-application-rules.js'
import { asOffered, limitClaims } from './authorize-parameters.js'
import { findEngineSession } from './browser-session.js'
import type { OidcProviderDeps } from './deps.js'
import type { EngineAnswer } from './engine.js'
import type { EngineSession } from './engine-context.js'
import { findClientOf } from './find-client.js'
import { findIssuer } from './find-issuer.js'
import type { IssuerPath } from './issuer.js'
import { takePushedRequest } from './push-request.js'
import { runEngine } from './run-engine.js'

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
): Promise<EngineAnswer> {
  const { db, audit, clients } = deps
  const issuer = await findIssuer(db, deps, path, origin)
  if (!issuer.team.active) throw teamError('team_suspended')
  const sent = new URLSearchParams(queryString)
  return db.transaction(async (tx) => {
    const query = asOffered((await takePushedRequest(tx, deps, issuer, sent)) ?? sent)
    const client = await findClientOf(tx, clients, issuer, query.get('client_id') ?? undefined)
    limitClaims(query, client)
    const found = client && ssoToken ? await findEngineSession(tx, deps, { ssoToken }, client.id) : undefined
    const asked = client && { application: client.id, team: issuer.team.id, origin, deviceToken }
    const shown = found?.unconfirmed && isSilent(query) ? undefined : found
    const session = shown && asked && (await asRulesLet(tx, deps, shown, asked))
    const { answer, outcome } = await runEngine(
      tx,
      deps,
      issuer,
      client,
      {
        ...(session && { session }),
        browserHash: tokenHash(browserToken),
        askedScope: query.get('scope') ?? undefined,
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
const isSilent = (query: URLSearchParams): boolean => (query.get('prompt') ?? '').split(' ').includes('none')

/** The session as far as the team's rules let it count: one that lacks a second factor or a new password must sign in, like none at all. */
async function asRulesLet(
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

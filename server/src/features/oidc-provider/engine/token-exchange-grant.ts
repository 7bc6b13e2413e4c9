import type { KoaContextWithOIDC, Provider } from 'oidc-provider'
import { fromNow, SECOND } from '../../../platform/clock.js'
import { namedQuery } from '../../../platform/db/named-query.js'
import type { GrantId } from '../../../platform/ids.js'
import { creatingGrant, type NewGrantValues } from '../../sessions/index.js'
import { ACCESS_TOKEN_TYPE, TOKEN_EXCHANGE } from '../model/grant-types.js'
import { LIFETIMES } from '../model/lifetimes.js'
import { newGrantId } from './engine-adapter.js'
import { type EngineContext, type ExchangedSubject, engineContext } from './engine-context.js'
import { errors, grantHelpers } from './engine-library.js'

/** Maximum number of agents in `act`: a longer chain is likely a loop. */
const MAX_ACTOR_CHAIN = 5

// The new grant has the restriction and the epoch of the user's grant. A concurrent withdrawal of the consent either revokes this grant or
// prevents it.
const insertDelegation = namedQuery<{ id: GrantId }, NewGrantValues>(
  'oidc_provider.insert_delegation',
  `WITH allowed AS (
     INSERT INTO consents (user_id, application_id, restricted, scopes, claims, delegated_scopes, created_at, updated_at)
     SELECT :userId, :applicationId, confined_team_id IS NOT NULL, '{}', '{}', :scopes, :now, :now FROM sessions WHERE id = (:delegatedFrom::uuid[])[1]
     ON CONFLICT (user_id, application_id, restricted) DO UPDATE SET updated_at = :now,
       delegated_scopes = ARRAY(SELECT DISTINCT unnest(consents.delegated_scopes || excluded.delegated_scopes))
     WHERE consents.withdrawn_at IS NULL RETURNING user_id)
   ${creatingGrant('FROM allowed, sessions origin WHERE origin.id = (:delegatedFrom::uuid[])[1]')}`,
)

/**
 * Registers the token exchange (RFC 8693) for agents. It exchanges a user's access token for one of the agent with the same user, the
 * same or fewer scopes and no later expiry. `act` names the agent and nests the agents of earlier exchanges (RFC 8693 4.1).
 */
export function registerTokenExchange(provider: Provider): void {
  provider.registerGrantType(
    TOKEN_EXCHANGE,
    (async (ctx: KoaContextWithOIDC) => exchangeToken(provider, ctx)) as never,
    [
      'subject_token',
      'subject_token_type',
      'actor_token',
      'actor_token_type',
      'requested_token_type',
      'audience',
      'resource',
      'scope',
    ],
    ['audience', 'resource'],
  )
}

async function exchangeToken(provider: Provider, ctx: KoaContextWithOIDC): Promise<void> {
  const context = engineContext()
  const { client, clock, tx, issuer } = context
  const params = (ctx.oidc.params ?? {}) as Record<string, unknown>
  if (!client?.isAiAgent) throw new errors.UnauthorizedClient('only an agent may exchange tokens')
  const proof = await grantHelpers.validateDpop(provider, ctx)
  grantHelpers.checkDpopRequired(provider, ctx, proof)

  const subject = requireSubject(params, context)
  const bound = (subject.token.claims.cnf as { jkt?: unknown } | undefined)?.jkt
  if (bound !== undefined && bound !== proof?.thumbprint)
    throw new errors.InvalidRequest('the subject_token is bound to another key')
  if (chainOf(subject.token.claims.act) >= MAX_ACTOR_CHAIN)
    throw new errors.InvalidRequest('the subject_token was exchanged by too many agents')
  if (!subject.isAllowed) throw new errors.AccessDenied('the user has not allowed this agent')

  const audience = narrowAudience(params, subject, issuer.url, client.resources)
  const scopes = narrowScopes(params.scope, subject, client.scopes)
  await grantHelpers.checkDpopReplay(provider, ctx, proof, client.clientId)

  const left = subject.token.exp - Math.floor(clock.ms() / SECOND)
  const life = Math.min(left, client.config.tokenPolicy.accessTokenLifetime, LIFETIMES.exchangedToken)
  const grantId = newGrantId(context)
  const { userAttributes } = subject.token
  const [given] = await tx.run(insertDelegation, {
    grantId,
    userId: userAttributes.id,
    teamId: client.teamId,
    applicationId: client.id,
    method: 'token_exchange',
    scopes,
    issuer: issuer.path,
    generation: client.generation,
    amr: subject.amr,
    authenticatedAt: subject.authenticatedAt,
    now: clock.now(),
    // The grant ends with its only token.
    expiresAt: fromNow(clock, life * SECOND),
    sessionId: null,
    delegatedFrom: subject.grants,
    delegatedTokens: subject.tokens,
  })
  if (!given) throw new errors.AccessDenied('the user has not allowed this agent')
  context.outcome.grantId = grantId
  context.outcome.scopes = scopes

  const token = new provider.AccessToken({
    accountId: userAttributes.id,
    client: ctx.oidc.client,
    grantId,
    gty: 'token_exchange',
  } as never) as unknown as {
    resourceServer: unknown
    scope: string
    setThumbprint(kind: 'jkt', thumbprint: string): void
    save(): Promise<string>
    tokenType: string
    expiresIn: number
  }
  token.resourceServer = new provider.ResourceServer(audience, {
    audience,
    scope: scopes.join(' '),
    accessTokenFormat: 'jwt',
    accessTokenTTL: life,
  } as never)
  token.scope = scopes.join(' ')
  if (proof) token.setThumbprint('jkt', proof.thumbprint)
  const value = await token.save()
  ctx.body = {
    access_token: value,
    issued_token_type: ACCESS_TOKEN_TYPE,
    token_type: token.tokenType,
    expires_in: life,
    scope: token.scope,
  }
}

/** @throws invalid_request for a token that is not valid, of another team or of another type (RFC 8693 2.2.2) */
function requireSubject(params: Record<string, unknown>, { subjectToken }: EngineContext): ExchangedSubject {
  const { subject_token: token, subject_token_type: type, requested_token_type: wanted, actor_token: actor } = params
  if (!token || !type)
    throw new errors.InvalidRequest("missing required parameter(s) 'subject_token', 'subject_token_type'")
  if (type !== ACCESS_TOKEN_TYPE) throw new errors.InvalidRequest('the subject_token must be an access token')
  if (wanted !== undefined && wanted !== ACCESS_TOKEN_TYPE)
    throw new errors.InvalidRequest('only access tokens can be requested')
  // The actor is the authenticated client, so an actor token is redundant.
  if (actor !== undefined || params.actor_token_type !== undefined)
    throw new errors.InvalidRequest('the actor is the authenticated client; omit actor_token')
  if (!subjectToken) throw new errors.InvalidRequest('the subject_token is not a valid access token of a user')
  return subjectToken
}

/**
 * Returns the audience, which the exchange does not change: this issuer, or the resource of the subject token. The resource must be
 * registered for the agent too.
 * @throws invalid_target
 */
function narrowAudience(
  params: Record<string, unknown>,
  { token }: ExchangedSubject,
  issuer: string,
  resources: string[],
): string {
  const before = String(token.claims.aud)
  const audience = before === token.claims.iss ? issuer : before
  const requested = [params.audience, params.resource].flat().filter((one) => one !== undefined)
  if (requested.some((one) => one !== audience && one !== before)) throw new errors.InvalidTarget()
  if (audience !== issuer && !resources.includes(audience)) throw new errors.InvalidTarget()
  return audience
}

/** Returns the requested scopes, by default all, limited to those of the subject token and the agent. @throws invalid_scope */
function narrowScopes(requested: unknown, { token }: ExchangedSubject, allowed: string[]): string[] {
  const may = token.scopes.filter((scope) => allowed.includes(scope) && scope !== 'offline_access')
  const wanted = typeof requested === 'string' ? [...new Set(requested.split(' ').filter(Boolean))] : may
  const beyond = wanted.filter((scope) => !may.includes(scope))
  if (beyond.length > 0 || wanted.length === 0)
    throw new errors.InvalidScope('the subject_token does not include these scopes', beyond.join(' '))
  return wanted
}

function chainOf(act: unknown): number {
  let length = 0
  for (let next = act; typeof next === 'object' && next !== null; next = (next as { act?: unknown }).act) length += 1
  return length
}

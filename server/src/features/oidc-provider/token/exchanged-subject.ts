import { tokenHash } from '../../../platform/crypto/token-hash.js'
import type { Transaction } from '../../../platform/db/database.js'
import { namedQuery } from '../../../platform/db/named-query.js'
import type { RequestOrigin } from '../../../platform/http/actor.js'
import type { ApplicationId, GrantId, UserId } from '../../../platform/ids.js'
import { signInContext } from '../../policies/index.js'
import type { ExchangedSubject } from '../engine/engine-context.js'
import { USER_READER, verifyAccessToken } from '../model/access-token.js'
import type { Client } from '../model/client.js'
import type { OidcProviderDeps } from '../model/deps.js'
import { TOKEN_EXCHANGE } from '../model/grant-types.js'
import { GRANT_JOINS, mayUse } from '../model/grant-validity.js'

interface Row {
  is_allowed: boolean
  role: string
  amr: string[]
  authenticated_at: Date
  delegated_from: GrantId[] | null
  delegated_tokens: Buffer[] | null
}

const behind = namedQuery<Row, [GrantId, ApplicationId, UserId]>(
  'oidc_provider.behind_subject',
  `SELECT m.role, g.amr, g.authenticated_at, g.delegated_from, g.delegated_tokens,
     ${mayUse('b', 'm', 'u', 'g.confined_team_id = a.organization_id')} AND NOT EXISTS (
       SELECT 1 FROM consents c WHERE c.user_id = $3 AND c.application_id = b.id AND c.restricted = (g.confined_team_id IS NOT NULL) AND c.withdrawn_at IS NOT NULL) AS is_allowed
   FROM sessions g ${GRANT_JOINS} JOIN applications b ON b.id = $2 AND b.organization_id = a.organization_id
   WHERE g.id = $1`,
)

/**
 * Returns the subject token of a token exchange; undefined if it is not valid, has no user or belongs to another team. Runs in the caller's
 * transaction.
 */
export async function findExchangedSubject(
  tx: Transaction,
  deps: OidcProviderDeps,
  form: URLSearchParams,
  client: Client,
  origin: RequestOrigin,
): Promise<ExchangedSubject | undefined> {
  const sent = form.get('subject_token')
  if (form.get('grant_type') !== TOKEN_EXCHANGE || !sent) return undefined
  const token = await verifyAccessToken(tx, deps, sent, USER_READER)
  if (!token?.userAttributes || !token.grantId || token.teamId !== client.teamId) return undefined
  const { userAttributes, grantId } = token
  const [row] = await tx.run(behind, [grantId, client.id, userAttributes.id])
  return (
    row && {
      token: { ...token, userAttributes, grantId },
      isAllowed:
        row.is_allowed && (await policiesAllow(tx, deps, client, { row, email: userAttributes.email, origin })),
      amr: row.amr,
      authenticatedAt: row.authenticated_at,
      grants: [grantId, ...(row.delegated_from ?? [])],
      tokens: [tokenHash(token.jti), ...(row.delegated_tokens ?? [])],
    }
  )
}

/**
 * Evaluates the team's policies for a sign-in to the agent. The user's browser is not involved, so conditions on it do not match; the IP
 * address is that of the agent.
 */
async function policiesAllow(
  tx: Transaction,
  { clock, countries, decideSignOn }: OidcProviderDeps,
  client: Client,
  { row, email, origin }: { row: Row; email: string; origin: RequestOrigin },
): Promise<boolean> {
  const context = signInContext(clock, {
    origin,
    country: countries.countryOf(origin.ip),
    email,
    role: row.role,
    method: 'token_exchange',
  })
  const { verdict, requirement } = await decideSignOn(tx, client.teamId, {
    resource: `application:${client.id}`,
    context,
  })
  return verdict !== 'DENY' && (requirement !== 'MFA_REQUIRED' || row.amr.includes('mfa'))
}

import { tokenHash } from '../../platform/crypto/token-hash.js'
import type { Transaction } from '../../platform/db/database.js'
import { namedQuery } from '../../platform/db/named-query.js'
import type { ApplicationId, GrantId, UserId } from '../../platform/ids.js'
import { findLiveAccessToken, type LiveAccessToken } from './access-token.js'
import type { Client } from './client.js'
import type { OidcProviderDeps } from './deps.js'
import { GRANT_JOINS, mayUse } from './grant-lives.js'

export const TOKEN_EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange'
export const ACCESS_TOKEN_TYPE = 'urn:ietf:params:oauth:token-type:access_token'

/** The token of a user that an agent brings to get one of its own for it (RFC 8693 2.1), with what stands behind it. */
export interface ExchangedSubject {
  token: LiveAccessToken & { person: NonNullable<LiveAccessToken['person']>; grantId: GrantId }
  /** The user may use the agent, and has not taken back what they had allowed it. */
  allowed: boolean
  amr: string[]
  authenticatedAt: Date
  /** Every grant, and by the SHA-256 of its `jti` every access token, that the new one hangs on: if one ends, it does. */
  grants: GrantId[]
  tokens: Buffer[]
}

interface Row {
  allowed: boolean
  amr: string[]
  authenticated_at: Date
  delegated_from: GrantId[] | null
  delegated_tokens: Buffer[] | null
}

const behind = namedQuery<Row, [GrantId, ApplicationId, UserId]>(
  'oidc_provider.behind_subject',
  `SELECT g.amr, g.authenticated_at, g.delegated_from, g.delegated_tokens,
     ${mayUse('b', 'm', 'u')} AND NOT EXISTS (
       SELECT 1 FROM consents c WHERE c.user_id = $3 AND c.application_id = b.id AND c.withdrawn_at IS NOT NULL) AS allowed
   FROM sessions g ${GRANT_JOINS} JOIN applications b ON b.id = $2 AND b.organization_id = a.organization_id
   WHERE g.id = $1`,
)

/** A step: the user's token that a request for an exchange presents; undefined where it is not live, nobody's, or of another team. */
export async function findExchangedSubject(
  tx: Transaction,
  deps: OidcProviderDeps,
  form: URLSearchParams,
  client: Client,
): Promise<ExchangedSubject | undefined> {
  const sent = form.get('subject_token')
  if (form.get('grant_type') !== TOKEN_EXCHANGE || !sent) return undefined
  const token = await findLiveAccessToken(tx, deps, sent)
  if (!token?.person || !token.grantId || token.teamId !== client.teamId) return undefined
  const { person, grantId } = token
  const [row] = await tx.run(behind, [grantId, client.id, person.id])
  return (
    row && {
      token: { ...token, person, grantId },
      allowed: row.allowed,
      amr: row.amr,
      authenticatedAt: row.authenticated_at,
      grants: [grantId, ...(row.delegated_from ?? [])],
      tokens: [tokenHash(token.jti), ...(row.delegated_tokens ?? [])],
    }
  )
}

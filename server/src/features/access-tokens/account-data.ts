import type { Database } from '../../platform/db/database.js'
import { namedQuery } from '../../platform/db/named-query.js'
import type { UserId } from '../../platform/ids.js'
import { type AccountData, MAX_EXPORTED } from '../../platform/module.js'
import { EXPORTED_TEAM, OWN_TEAMS } from '../members/index.js'

const tokensIn = (table: 'api_tokens' | 'scim_tokens', permissions: string) =>
  namedQuery<Record<string, unknown>, [UserId, number]>(
    `access_tokens.account_data_${table}`,
    `SELECT t.id, t.name, t.prefix, t.${permissions} AS permissions, ${EXPORTED_TEAM},
       t.created_at AS "createdAt", t.expires_at AS "expiresAt", t.last_used_at AS "lastUsedAt", t.revoked_at AS "revokedAt"
     FROM ${OWN_TEAMS} JOIN ${table} t ON t.created_by = m.user_id AND t.organization_id = o.id ORDER BY t.created_at DESC, t.id LIMIT $2`,
  )

const apiTokens = tokensIn('api_tokens', 'scopes')
const scimTokens = tokensIn('scim_tokens', 'permissions')

/** The tokens that the user created in confirmed teams. */
export const tokenData = (db: Database): Record<string, AccountData> => ({
  apiTokens: ({ userId }) => db.run(apiTokens, [userId, MAX_EXPORTED]),
  scimTokens: ({ userId }) => db.run(scimTokens, [userId, MAX_EXPORTED]),
})

import type { Clock } from '../../platform/clock.js'
import { tokenHash } from '../../platform/crypto/token-hash.js'
import type { Database } from '../../platform/db/database.js'
import { namedQuery } from '../../platform/db/named-query.js'
import { sharedRead } from '../../platform/db/shared-read.js'
import { invalidAccessToken, rejection as platformError } from '../../platform/errors.js'
import type { AuthenticateScim } from '../../platform/http/actor.js'
import { parseId, type ScimTokenId, type TeamId, type UserId } from '../../platform/ids.js'
import { queueKey } from '../teams/index.js'
import { isScimTokenAllowed, permissionsOfToken, SCIM_TOKENS } from './token.js'
import { IS_VALID, recordUse, withActiveCreator } from './token-repository.js'

interface TokenRow {
  id: ScimTokenId
  permissions: string[]
  last_used_at: Date | null
  team_id: TeamId
  slug: string
  role: string
  created_by: UserId
  limit_key: string
}

// Checks everything that can invalidate a token or change its permissions.
const findValid = namedQuery<TokenRow, [Buffer, Date]>(
  'access_tokens.authenticate_scim_token',
  `SELECT t.id, t.permissions, t.last_used_at, o.id AS team_id, o.slug, m.role, t.created_by, ${queueKey('o', 't.created_by')} AS limit_key
   FROM ${withActiveCreator('scim_tokens')} JOIN organizations o ON o.id = t.organization_id AND o.status = 'ACTIVE'
   WHERE t.hash = $1 AND ${IS_VALID}`,
)

/** The prefix of team IDs in URLs of a previous system. */
const LEGACY = 'org_'

/** Returns whether `orgRef` identifies the team: its ID, its slug, or `org_` and its ID. */
function identifiesTeam(orgRef: string, { team_id, slug }: TokenRow): boolean {
  const id = orgRef.startsWith(LEGACY) ? orgRef.slice(LEGACY.length) : orgRef
  return orgRef === slug || parseId<TeamId>(id) === team_id
}

/**
 * Authenticates SCIM tokens: returns the actor for a token and the team in the path. A token is invalid if its creator left or may no
 * longer create one.
 * @throws invalid_access_token; not_found for another team, existing or not
 */
export function authenticateScimToken({ db, clock }: { db: Database; clock: Clock }): AuthenticateScim {
  const find = sharedRead(
    (hash: Buffer) => db.run(findValid, [hash, clock.now()]),
    (hash) => hash.toString('base64'),
  )
  return async ({ token, orgRef, origin }) => {
    const [row] = await find(tokenHash(token))
    if (!row || !isScimTokenAllowed(row)) throw invalidAccessToken()
    if (!identifiesTeam(orgRef, row))
      throw platformError('not_found', { detail: 'The token does not belong to this team' })
    await recordUse({ db, clock }, SCIM_TOKENS, row)
    return {
      via: 'scim-token',
      scimTokenId: row.id,
      userId: null,
      createdBy: row.created_by,
      teamId: row.team_id,
      limitKey: row.limit_key,
      permissions: permissionsOfToken(row),
      orgRef,
      origin: { ...origin, scimTokenId: row.id },
    }
  }
}

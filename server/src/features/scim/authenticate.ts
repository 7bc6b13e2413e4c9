import { type Clock, fromNow, MINUTE } from '../../platform/clock.js'
import { tokenHash } from '../../platform/crypto/token-hash.js'
import type { Database } from '../../platform/db/database.js'
import { namedQuery } from '../../platform/db/named-query.js'
import { sharedRead } from '../../platform/db/shared-read.js'
import { invalidAccessToken, rejection as platformError } from '../../platform/errors.js'
import type { AuthenticateScim } from '../../platform/http/actor.js'
import { parseId, type ScimTokenId, type TeamId, type UserId } from '../../platform/ids.js'
import { turnsKey } from '../teams/index.js'
import { lentTo, mayDirect } from './token-repository.js'

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

// One read answers everything that can end a token or change what it may do. A membership that is younger than the token is
// another one: who left and came back makes new tokens.
const liveToken = namedQuery<TokenRow, [Buffer, Date]>(
  'scim.authenticate',
  `SELECT t.id, t.permissions, t.last_used_at, o.id AS team_id, o.slug, m.role, t.created_by, ${turnsKey('o', 't.created_by')} AS limit_key
   FROM scim_tokens t
   JOIN users u ON u.id = t.created_by AND u.status = 'active' AND u.epoch = t.epoch
   JOIN memberships m ON m.user_id = t.created_by AND m.organization_id = t.organization_id AND m.status = 'active'
     AND m.created_at <= t.created_at
   JOIN organizations o ON o.id = t.organization_id AND o.status = 'ACTIVE'
   WHERE t.hash = $1 AND t.revoked_at IS NULL AND (t.expires_at IS NULL OR t.expires_at > $2)`,
)

// Whoever meets another that notes the same leaves it to that one: no request waits for a lock because of this.
const noteUse = namedQuery<never, [ScimTokenId, Date, Date]>(
  'scim.note_token_use',
  `UPDATE scim_tokens SET last_used_at = $2 WHERE id = (
     SELECT id FROM scim_tokens WHERE id = $1 AND (last_used_at IS NULL OR last_used_at <= $3) FOR NO KEY UPDATE SKIP LOCKED)`,
)

/** How a directory names a team that was moved here from where teams were called so. */
const LEGACY = 'org_'

/** Whether `orgRef` is the team: by its id, its slug, or `org_` and its id. */
function names(orgRef: string, { team_id, slug }: TokenRow): boolean {
  const id = orgRef.startsWith(LEGACY) ? orgRef.slice(LEGACY.length) : orgRef
  return orgRef === slug || parseId<TeamId>(id) === team_id
}

/**
 * SCIM tokens at the authentication hook: from the token and the team in the path to the actor. A token whose maker is gone, or may not
 * make one any more, opens nothing.
 * @throws invalid_access_token; not_found for every team but its own, whether there is one or not
 */
export function authenticateScimToken({ db, clock }: { db: Database; clock: Clock }): AuthenticateScim {
  const find = sharedRead(
    (hash: Buffer) => db.run(liveToken, [hash, clock.now()]),
    (hash) => hash.toString('base64'),
  )
  return async ({ token, orgRef, origin }) => {
    const [row] = await find(tokenHash(token))
    if (!row || !mayDirect(row.permissions, row.role)) throw invalidAccessToken()
    if (!names(orgRef, row)) throw platformError('not_found', { detail: 'The token is not for a team of this name' })
    const aMinuteAgo = fromNow(clock, -MINUTE)
    if (!row.last_used_at || row.last_used_at <= aMinuteAgo) await db.run(noteUse, [row.id, clock.now(), aMinuteAgo])
    return {
      via: 'scim-token',
      scimTokenId: row.id,
      userId: null,
      createdBy: row.created_by,
      teamId: row.team_id,
      limitKey: row.limit_key,
      permissions: lentTo(row),
      orgRef,
      origin: { ...origin, scimTokenId: row.id },
    }
  }
}

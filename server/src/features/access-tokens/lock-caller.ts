import type { Transaction } from '../../platform/db/database.js'
import { namedQuery } from '../../platform/db/named-query.js'
import { invalidAccessToken } from '../../platform/errors.js'
import type { Actor, ScimActor } from '../../platform/http/actor.js'
import type { OriginId, TeamId, UserId } from '../../platform/ids.js'
import { isCovered, setterCovers } from '../members/index.js'

interface Member {
  via: string
  credentialId: string
  accountId: UserId
  isExclusive: boolean
  teamId: TeamId
  role: string
  receivedAt: Date
  administers: boolean
  isTeamActive: boolean
}
// The origin of a credential does not change.
const lockMember = namedQuery<{ active: boolean; temporarySetBy: OriginId | null }, Member>(
  'access_tokens.lock_caller',
  `SELECT hold_caller(:via, :credentialId, :accountId, :isExclusive, :teamId, :role, :receivedAt, :administers, :isTeamActive) AS active,
     CASE WHEN :via = 'session' THEN (SELECT temporary_set_by FROM sessions WHERE id = :credentialId)
       ELSE (SELECT temporary_set_by FROM api_tokens WHERE id = :credentialId) END AS "temporarySetBy"`,
)

const lockDirectory = namedQuery<{ active: boolean }, [string, string, UserId, boolean]>(
  'access_tokens.lock_scim_caller',
  'SELECT hold_caller($1, $2, $3, $4) AS active',
)

/**
 * Verifies again that the caller's access is still that with which the request was authenticated, at the start of every writing transaction:
 * the session or token is active, the membership has the same role and has not lost its credentials, the team is not suspended, and the member
 * who set a temporary password behind the credential still covers the role. A client can send the body of a request long after its headers.
 * (A SCIM request reads the role of the token's creator itself.) The lock on the account is shared: until the
 * transaction ends, an action that locks the account exclusively (`lockAccountExclusively` of users) waits. Runs in the caller's transaction.
 * @param isExclusive whether to lock the account exclusively, for routes that revoke sessions: other writing requests of the account wait
 * @throws invalid_access_token
 */
export async function lockCaller(tx: Transaction, actor: Actor | ScimActor, isExclusive: boolean): Promise<void> {
  const isActive =
    actor.via === 'scim-token' ? lockDirectoryOf(tx, actor, isExclusive) : lockMemberOf(tx, actor, isExclusive)
  if (!(await isActive)) throw invalidAccessToken()
}

const lockDirectoryOf = async (
  tx: Transaction,
  { via, scimTokenId, createdBy }: ScimActor,
  isExclusive: boolean,
): Promise<boolean> => (await tx.run(lockDirectory, [via, scimTokenId, createdBy, isExclusive]))[0]?.active === true

async function lockMemberOf(tx: Transaction, actor: Actor, isExclusive: boolean): Promise<boolean> {
  const { via, teamId, role } = actor
  const [caller] = await tx.run(lockMember, {
    via,
    credentialId: via === 'session' ? actor.sessionId : actor.apiTokenId,
    accountId: actor.userId,
    isExclusive,
    teamId,
    role,
    receivedAt: actor.receivedAt,
    administers: actor.instanceAdmin,
    isTeamActive: actor.team.status === 'ACTIVE',
  })
  if (!caller?.active) return false
  const { temporarySetBy } = caller
  // A separate statement: it sees what was committed while the first one waited for the account.
  const covers = via === 'session' ? isCovered : setterCovers
  return temporarySetBy === null || covers(tx, temporarySetBy, role, teamId)
}

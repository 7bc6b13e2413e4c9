import type { Clock } from '../../../platform/clock.js'
import { uuidv7 } from '../../../platform/crypto/random.js'
import type { Runner, Transaction } from '../../../platform/db/database.js'
import { namedQuery } from '../../../platform/db/named-query.js'
import { rejection } from '../../../platform/errors.js'
import type { OriginId, TeamId, UserId } from '../../../platform/ids.js'
import { jointSetters } from '../tables.js'

/** The most setters of one credential. Each use of the credential reads the role of every one. */
const MAX_SETTERS = 16

/**
 * SQL: the members who set the temporary passwords behind an origin, as rows with an `id`; none behind an editor alone.
 * @param origin expression that is not null
 */
export const settersBehind = (origin: string): string =>
  `(SELECT unnest(coalesce((SELECT js.set_by FROM joint_setters js WHERE js.id = ${origin}),
    CASE WHEN EXISTS (SELECT FROM sign_in_editors se WHERE se.id = ${origin}) THEN '{}' ELSE ARRAY[${origin}] END)) AS id)`

/** SQL: the rows of `sign_in_editors` behind an origin. @param origin expression that is not null */
export const editorsBehind = (origin: string): string =>
  `(SELECT * FROM sign_in_editors WHERE id IN (${origin}, (SELECT js.editor_id FROM joint_setters js WHERE js.id = ${origin})))`

interface Origin {
  /** The members who set the temporary passwords; empty if there was none. */
  setters: UserId[]
  /** The row of `sign_in_editors` for a session of a provider or directory. */
  editorId: OriginId | null
}

const read = namedQuery<Origin, [OriginId]>(
  'members.read_origin',
  `SELECT coalesce(js.set_by, CASE WHEN se.id IS NULL THEN ARRAY[v.id] ELSE '{}' END) AS setters, coalesce(js.editor_id, se.id) AS "editorId"
   FROM (SELECT $1::uuid AS id) v LEFT JOIN joint_setters js ON js.id = v.id LEFT JOIN sign_in_editors se ON se.id = v.id`,
)

/** Returns the members behind the origin of a credential. */
export async function readOrigin(runner: Runner, id: OriginId | null | undefined): Promise<Origin> {
  const [origin] = id ? await runner.run(read, [id]) : []
  return origin ?? { setters: [], editorId: null }
}

const find = namedQuery<{ id: OriginId }, [TeamId, UserId[], OriginId | null]>(
  'members.find_joint_setters',
  'SELECT id FROM joint_setters WHERE organization_id = $1 AND set_by = $2 AND editor_id IS NOT DISTINCT FROM $3 LIMIT 1',
)

/** Returns the origin of a credential from a temporary password that this member alone set. */
export const originOf = (setter: UserId): OriginId => setter as string as OriginId

/**
 * Returns the ID of an origin: the only setter, or a row of `joint_setters`. Runs in the caller's transaction.
 * @throws forbidden for more than 16 setters
 */
export async function writeOrigin(tx: Transaction, clock: Clock, teamId: TeamId, origin: Origin): Promise<OriginId> {
  const { editorId } = origin
  const setBy = [...new Set(origin.setters)].sort()
  const [only] = setBy
  if (only && setBy.length === 1 && !editorId) return originOf(only)
  if (setBy.length > MAX_SETTERS)
    throw rejection('forbidden', {
      detail: `This session depends on temporary passwords of ${MAX_SETTERS} members. Sign in with your own password`,
    })
  // Not unique: of concurrent transactions, each may insert a row, and none waits for another.
  const [found] = await tx.run(find, [teamId, setBy, editorId])
  if (found) return found.id
  const id = uuidv7<OriginId>(clock)
  await tx.insert(jointSetters).values({ id, organizationId: teamId, setBy, editorId, createdAt: clock.now() })
  return id
}

/**
 * Returns the origin of what an API token creates: that of the token, without the editor of the provider or directory on which the session
 * depended that created the token. Runs in the caller's transaction.
 */
export async function originWithoutEditor(
  tx: Transaction,
  clock: Clock,
  teamId: TeamId,
  origin: OriginId | null,
): Promise<OriginId | null> {
  const { setters, editorId } = await readOrigin(tx, origin)
  if (!editorId) return origin
  return setters.length > 0 ? writeOrigin(tx, clock, teamId, { setters, editorId: null }) : null
}

const containing = namedQuery<{ id: OriginId }, [OriginId[], UserId]>(
  'members.joint_setters_containing',
  'SELECT id FROM joint_setters WHERE id = ANY($1) AND $2 = ANY(set_by)',
)

/**
 * Returns the origins that depend on the member: alone, and those of `origins` that do jointly with others. Runs in the caller's
 * transaction.
 */
export const originsWith = async (tx: Transaction, origins: OriginId[], setter: UserId): Promise<OriginId[]> => [
  originOf(setter),
  ...(await tx.run(containing, [origins, setter])).map(({ id }) => id),
]

const endEditors = namedQuery<never, [UserId]>(
  'members.end_joint_editors',
  `UPDATE joint_setters SET set_by = ARRAY[id]
   WHERE editor_id IN (SELECT id FROM sign_in_editors WHERE saved_by = $1) AND set_by <> ARRAY[id]`,
)

/**
 * Revokes the authority of providers and directories that the user saved in sessions with temporary passwords: what they started then covers
 * a plain member only. Runs in the caller's transaction.
 */
export const endJointEditors = async (tx: Transaction, userId: UserId): Promise<void> =>
  void (await tx.run(endEditors, [userId]))

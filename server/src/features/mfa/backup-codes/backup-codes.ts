import { createHmac, randomInt } from 'node:crypto'
import { uuidv7 } from '../../../platform/crypto/random.js'
import type { Transaction } from '../../../platform/db/database.js'
import { namedQuery } from '../../../platform/db/named-query.js'
import type { FactorId, OriginId, TeamId, UserId } from '../../../platform/ids.js'
import type { User } from '../../users/index.js'
import type { FactorDeps } from '../deps.js'

const COUNT = 10
const LENGTH = 8
/** Excludes characters that look alike: 0 O Q, 1 I L, 2 Z, 5 S, 8 B, U V. There are 23^8 = 78 billion codes. */
const ALPHABET = '34679ACDEFGHJKMNPRTUWXY'

/** Returns ten codes of eight characters. */
export const newBackupCodes = (): string[] =>
  Array.from({ length: COUNT }, () =>
    Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join(''),
  )

// Keyed, because codes are short enough to find them from plain hashes in a copy of the database. The key is stored encrypted.
const hashOf = ({ keys }: Pick<FactorDeps, 'keys'>, userId: UserId, code: string): Buffer =>
  createHmac('sha256', keys.current('backup_code').key).update(`${userId}:${code}`).digest()

const replaceSet = namedQuery<
  never,
  {
    userId: UserId
    id: FactorId
    name: string
    now: Date
    hashes: Buffer[]
    restrictedTo: TeamId | null
    temporarySetBy: OriginId | null
    epoch: number
  }
>(
  'mfa.replace_backup_codes',
  `WITH factor AS (INSERT INTO factors (id, user_id, type, name, verified_at, created_at, restricted_to_team_id, temporary_set_by, epoch)
     VALUES (:id, :userId, 'BACKUP_CODE', :name, :now, :now, :restrictedTo, :temporarySetBy, :epoch) RETURNING id)
   INSERT INTO backup_codes (factor_id, hash) SELECT factor.id, hash FROM factor, unnest(:hashes::bytea[]) hash`,
)
const deleteSet = namedQuery<never, [UserId, TeamId | null]>(
  'mfa.delete_backup_codes',
  "DELETE FROM factors WHERE user_id = $1 AND type = 'BACKUP_CODE' AND restricted_to_team_id IS NOT DISTINCT FROM $2",
)

/**
 * Stores backup codes for factors of one restriction and deletes earlier ones. Returns the ID of the set. Runs in the caller's transaction.
 */
export async function setBackupCodes(
  tx: Transaction,
  deps: FactorDeps,
  { id: userId, epoch }: Pick<User, 'id' | 'epoch'>,
  { restrictedTo, temporarySetBy }: { restrictedTo: TeamId | null; temporarySetBy: OriginId | null },
  codes: string[],
): Promise<FactorId> {
  await tx.run(deleteSet, [userId, restrictedTo])
  const id = uuidv7<FactorId>(deps.clock)
  const hashes = codes.map((code) => hashOf(deps, userId, code))
  const now = deps.clock.now()
  await tx.run(replaceSet, { userId, id, name: 'Backup codes', now, hashes, restrictedTo, temporarySetBy, epoch })
  return id
}

// The condition on used_at lets one of several concurrent uses succeed.
const useCode = namedQuery<{ id: FactorId }, [UserId, Buffer, Date, FactorId[]]>(
  'mfa.use_backup_code',
  `WITH used AS (UPDATE backup_codes c SET used_at = $3 FROM factors f
     WHERE f.id = c.factor_id AND f.user_id = $1 AND f.id = ANY($4) AND c.hash = $2 AND c.used_at IS NULL RETURNING f.id)
   UPDATE factors SET last_used_at = $3 FROM used WHERE factors.id = used.id RETURNING used.id`,
)

/**
 * Redeems the code and returns the ID of its set; undefined if it is wrong or was used. Runs in the caller's transaction.
 * @param ids the valid sets
 */
export async function useBackupCode(
  tx: Transaction,
  deps: FactorDeps,
  userId: UserId,
  ids: FactorId[],
  code: string,
): Promise<FactorId | undefined> {
  return (await tx.run(useCode, [userId, hashOf(deps, userId, code), deps.clock.now(), ids]))[0]?.id
}

const countLeft = namedQuery<{ left: number }, [UserId, number, TeamId | null]>(
  'mfa.backup_codes_left',
  `SELECT count(*)::int AS left FROM backup_codes c JOIN factors f ON f.id = c.factor_id
   WHERE f.user_id = $1 AND f.epoch = $2 AND f.restricted_to_team_id IS NOT DISTINCT FROM $3 AND c.used_at IS NULL`,
)

/** Returns the number of unused codes of one restriction. Runs in the caller's transaction. */
export const backupCodesLeft = async (
  tx: Transaction,
  { id, epoch }: Pick<User, 'id' | 'epoch'>,
  restrictedTo: TeamId | null,
): Promise<number> => (await tx.run(countLeft, [id, epoch, restrictedTo]))[0]?.left ?? 0

const countOfSets = namedQuery<{ left: number }, [FactorId[]]>(
  'mfa.backup_codes_of_sets',
  'SELECT count(*)::int AS left FROM backup_codes WHERE factor_id = ANY($1) AND used_at IS NULL',
)

/** Returns the number of unused codes of these sets. Runs in the caller's transaction. */
export const unusedCodes = async (tx: Transaction, ids: FactorId[]): Promise<number> =>
  (await tx.run(countOfSets, [ids]))[0]?.left ?? 0

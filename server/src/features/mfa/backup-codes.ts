import { createHmac, randomInt } from 'node:crypto'
import { uuidv7 } from '../../platform/crypto/random.js'
import type { Transaction } from '../../platform/db/database.js'
import { namedQuery } from '../../platform/db/named-query.js'
import type { FactorId, UserId } from '../../platform/ids.js'
import type { FactorDeps } from './deps.js'

const COUNT = 10
const LENGTH = 8
/** Without what is taken for something else on paper: 0 O Q, 1 I L, 2 Z, 5 S, 8 B, U V. 23^8 is 78 thousand million. */
const ALPHABET = '34679ACDEFGHJKMNPRTUWXY'

/** Ten codes, each of eight characters. */
export const newBackupCodes = (): string[] =>
  Array.from({ length: COUNT }, () =>
    Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join(''),
  )

// A code is too short for a plain hash: who has a copy of the database would try them all. The key is sealed there.
const hashOf = ({ keys }: Pick<FactorDeps, 'keys'>, userId: UserId, code: string): Buffer =>
  createHmac('sha256', keys.current('backup_code').key).update(`${userId}:${code}`).digest()

const replaceSet = namedQuery<never, [UserId, FactorId, string, Date, Buffer[]]>(
  'mfa.replace_backup_codes',
  `WITH factor AS (INSERT INTO factors (id, user_id, type, name, verified_at, created_at) VALUES ($2, $1, 'BACKUP_CODE', $3, $4, $4) RETURNING id)
   INSERT INTO backup_codes (factor_id, hash) SELECT factor.id, hash FROM factor, unnest($5::bytea[]) hash`,
)
const deleteSet = namedQuery<never, [UserId]>(
  'mfa.delete_backup_codes',
  "DELETE FROM factors WHERE user_id = $1 AND type = 'BACKUP_CODE'",
)

/** A step: the codes are those of the account; every earlier one is dead. */
export async function setBackupCodes(
  tx: Transaction,
  deps: FactorDeps,
  userId: UserId,
  codes: string[],
): Promise<void> {
  await tx.run(deleteSet, [userId])
  const hashes = codes.map((code) => hashOf(deps, userId, code))
  await tx.run(replaceSet, [userId, uuidv7<FactorId>(deps.clock), 'Backup codes', deps.clock.now(), hashes])
}

// Of many at once one finds the code unused.
const useCode = namedQuery<{ id: FactorId }, [UserId, Buffer, Date]>(
  'mfa.use_backup_code',
  `WITH used AS (UPDATE backup_codes c SET used_at = $3 FROM factors f
     WHERE f.id = c.factor_id AND f.user_id = $1 AND c.hash = $2 AND c.used_at IS NULL RETURNING f.id)
   UPDATE factors SET last_used_at = $3 FROM used WHERE factors.id = used.id RETURNING used.id`,
)

/** A step: uses the code up. Undefined for one that is wrong or was used. */
export async function useBackupCode(
  tx: Transaction,
  deps: FactorDeps,
  userId: UserId,
  code: string,
): Promise<FactorId | undefined> {
  return (await tx.run(useCode, [userId, hashOf(deps, userId, code), deps.clock.now()]))[0]?.id
}

const countLeft = namedQuery<{ left: number }, [UserId]>(
  'mfa.backup_codes_left',
  `SELECT count(*)::int AS left FROM backup_codes c JOIN factors f ON f.id = c.factor_id WHERE f.user_id = $1 AND c.used_at IS NULL`,
)

/** A step: how many codes of the account still work. */
export const backupCodesLeft = async (tx: Transaction, userId: UserId): Promise<number> =>
  (await tx.run(countLeft, [userId]))[0]?.left ?? 0

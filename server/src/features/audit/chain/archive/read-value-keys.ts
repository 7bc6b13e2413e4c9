import type { Envelope } from '../../../../platform/crypto/envelope.js'
import type { Runner } from '../../../../platform/db/database.js'
import type { AuditKeyId } from '../../../../platform/ids.js'
import { readPersonKeys } from '../../personal-data/person-keys.js'
import { valueKey } from '../../personal-data/sealed-values.js'
import type { ChainedEntry } from '../chain.js'
import { sealedParts, type ValueKeys } from './value-keys.js'

/** Returns a function that returns the keys for the values of an entry; undefined if it has none, or all are erased. */
export async function readValueKeys(
  runner: Runner,
  envelope: Envelope,
  entries: ChainedEntry[],
): Promise<(entry: ChainedEntry) => ValueKeys | undefined> {
  const ids = entries.flatMap(({ key_id, subject_key_id }) => [key_id, subject_key_id]).filter((id) => id !== null)
  const keys = await readPersonKeys(runner, envelope, ids as AuditKeyId[])
  return (entry) => {
    const known = sealedParts(entry).flatMap(([part, id, sealed]) => {
      const key = id && sealed ? keys.get(id) : undefined
      return key ? [[part, valueKey(key, part, entry.id).toString('base64url')]] : []
    })
    return known.length > 0 ? Object.fromEntries(known) : undefined
  }
}

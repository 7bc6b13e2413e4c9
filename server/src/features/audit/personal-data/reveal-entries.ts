import type { Envelope } from '../../../platform/crypto/envelope.js'
import type { Runner } from '../../../platform/db/database.js'
import type { AuditEntryId, AuditKeyId } from '../../../platform/ids.js'
import { readPersonKeys } from './person-keys.js'
import { openValue, valueKey } from './sealed-values.js'

/** The members of a stored entry that contain personal data. */
export interface SealedEntry {
  id: AuditEntryId
  metadata: Record<string, unknown>
  ipAddress: string | null
  userAgent: string | null
  keyId: AuditKeyId | null
  sealedOrigin: Buffer | null
  subjectKeyId: AuditKeyId | null
  sealedDetails: Buffer | null
}

/** An entry with readable personal data; `isErased` if the data of a person in it was erased. */
export type RevealedEntry<Entry extends SealedEntry> = Omit<
  Entry,
  'keyId' | 'sealedOrigin' | 'subjectKeyId' | 'sealedDetails'
> & { isErased: boolean }

/** Decrypts the personal data of entries, with one query. Erased data is null, or missing in the metadata. */
export async function revealEntries<Entry extends SealedEntry>(
  runner: Runner,
  envelope: Envelope,
  entries: Entry[],
): Promise<RevealedEntry<Entry>[]> {
  const ids = entries.flatMap(({ keyId, subjectKeyId }) => [keyId, subjectKeyId]).filter((id) => id !== null)
  const keys = await readPersonKeys(runner, envelope, ids)
  return entries.map(({ keyId, sealedOrigin, subjectKeyId, sealedDetails, ...entry }) => {
    const open = (part: 'origin' | 'details', id: AuditKeyId | null, sealed: Buffer | null): unknown => {
      const key = id ? keys.get(id) : undefined
      return key && sealed ? openValue(valueKey(key, part, entry.id), sealed) : undefined
    }
    const origin = open('origin', keyId, sealedOrigin) as [ip: string | null, userAgent: string | null] | undefined
    const details = open('details', subjectKeyId, sealedDetails) as Record<string, unknown> | undefined
    const [ipAddress, userAgent] = origin ?? [entry.ipAddress, entry.userAgent]
    const isErased = [keyId, subjectKeyId].some((id) => id !== null && !keys.has(id))
    return { ...entry, ipAddress, userAgent, metadata: { ...entry.metadata, ...details }, isErased }
  })
}

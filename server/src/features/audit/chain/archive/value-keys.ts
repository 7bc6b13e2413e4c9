import { openValue, type SealedPart } from '../../personal-data/sealed-values.js'
import type { ChainedEntry } from '../chain.js'

/** The keys of the encrypted values of one entry in a file, as base64url. Each decrypts only this value. */
export type ValueKeys = Partial<Record<SealedPart, string>>

/** Returns the encrypted values of an entry with the IDs of the keys of their persons. */
export const sealedParts = (entry: ChainedEntry) =>
  [
    ['origin', entry.key_id, entry.sealed_origin],
    ['details', entry.subject_key_id, entry.sealed_details],
  ] as const

/** The personal data of an entry in a file. */
export interface OpenedValues {
  ipAddress?: unknown
  userAgent?: unknown
  metadata?: unknown
}

/** Decrypts the values of an entry with untrusted keys of a file; returns undefined if one does not decrypt its value. */
export function openValues(entry: ChainedEntry, keys: ValueKeys): OpenedValues | undefined {
  const opened: OpenedValues = {}
  for (const [part, , sealed] of sealedParts(entry)) {
    const key = keys[part]
    if (key === undefined) continue
    const value = sealed ? openValue(Buffer.from(key, 'base64url'), sealed) : undefined
    if (value === undefined) return undefined
    if (part === 'details') opened.metadata = value
    else [opened.ipAddress, opened.userAgent] = value as unknown[]
  }
  return opened
}

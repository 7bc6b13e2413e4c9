import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto'

/**
 * The encryption of personal data in entries (docs/concepts/audit-log.md, "Personal data"). Each value has a key of its own, which is derived
 * from the key of the person: an export can contain it without revealing other entries. The nonce is constant, because no key encrypts twice.
 */
export type SealedPart = 'origin' | 'details'

const NONCE = Buffer.alloc(12)
const TAG_BYTES = 16

/** Returns the key of one value of one entry: HMAC-SHA256(key of the person, `part entryId`). */
export const valueKey = (personKey: Buffer, part: SealedPart, entryId: string): Buffer =>
  createHmac('sha256', personKey).update(`${part} ${entryId}`).digest()

/** Encrypts a JSON value with AES-256-GCM. @returns ciphertext ‖ tag */
export function sealValue(key: Buffer, value: unknown): Buffer {
  const cipher = createCipheriv('aes-256-gcm', key, NONCE)
  return Buffer.concat([cipher.update(JSON.stringify(value), 'utf8'), cipher.final(), cipher.getAuthTag()])
}

/** Decrypts a value; returns undefined if the key is another one or the value was changed. */
export function openValue(key: Buffer, sealed: Buffer): unknown {
  if (sealed.length < TAG_BYTES) return undefined
  const decipher = createDecipheriv('aes-256-gcm', key, NONCE)
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES))
  try {
    const text = Buffer.concat([decipher.update(sealed.subarray(0, -TAG_BYTES)), decipher.final()]).toString('utf8')
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

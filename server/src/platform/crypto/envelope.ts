import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { OperationalError } from '../operational-error.js'

/**
 * Envelope encryption of secrets at rest. Each value has its own data key (AES-256-GCM), which is wrapped by the first
 * key-encryption key of `ENCRYPTION_KEY`. The sealed value contains the ID of that key, so that several can be in use during a
 * rotation; rewrapping replaces only the wrapped data key.
 *
 * Format: `v1.<key id>.<wrapped data key>.<sealed value>`, the last two as base64url of nonce (12) ‖ ciphertext ‖ tag (16).
 * `context` identifies the owner of the value ("server-key:<id>"). It is authenticated, so a value in another row does not open.
 */
export interface Envelope {
  seal(plain: Buffer | string, context: string): string
  /** @throws Error if the key is unknown, or the value was changed or moved */
  open(sealed: string, context: string): Buffer
  /** Returns the value wrapped by the first key; undefined if it already is. */
  rewrap(sealed: string, context: string): string | undefined
  /** The ID of the key that seals. */
  readonly keyId: string
}

/** Returns the ID of a key, which sealed values contain. */
export const keyIdOf = (key: Buffer): string =>
  createHash('sha256').update('keyward key id').update(key).digest('hex').slice(0, 12)

function encrypt(key: Buffer, plain: Buffer, context: string): string {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context))
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]).toString('base64url')
}

function decrypt(key: Buffer, encrypted: string, context: string): Buffer {
  const bytes = Buffer.from(encrypted, 'base64url')
  if (bytes.length < 28) throw new Error('The sealed value is truncated')
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12)).setAAD(Buffer.from(context))
  decipher.setAuthTag(bytes.subarray(-16))
  return Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()])
}

/** @param keys 32 bytes each; the first seals, all of them open */
export function createEnvelope(keys: Buffer[]): Envelope {
  const byId = new Map(keys.map((key) => [keyIdOf(key), key]))
  const [first] = keys
  if (!first) throw new Error('No encryption key')
  const keyId = keyIdOf(first)

  const parts = (sealed: string) => {
    const [version, id, wrapped, value] = sealed.split('.')
    if (version !== 'v1' || !id || !wrapped || !value) throw new Error('Not a sealed value')
    const key = byId.get(id)
    if (!key)
      throw new OperationalError(
        'encryption_key',
        `The value is sealed under the key ${id}, which ENCRYPTION_KEY does not list`,
      )
    return { id, key, wrapped, value }
  }

  return {
    keyId,
    seal(plain, context) {
      const dataKey = randomBytes(32)
      const value = encrypt(dataKey, Buffer.isBuffer(plain) ? plain : Buffer.from(plain, 'utf8'), context)
      return `v1.${keyId}.${encrypt(first, dataKey, context)}.${value}`
    },
    open(sealed, context) {
      const { key, wrapped, value } = parts(sealed)
      return decrypt(decrypt(key, wrapped, context), value, context)
    },
    rewrap(sealed, context) {
      const { id, key, wrapped, value } = parts(sealed)
      return id === keyId
        ? undefined
        : `v1.${keyId}.${encrypt(first, decrypt(key, wrapped, context), context)}.${value}`
    },
  }
}

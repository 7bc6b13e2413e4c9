// RSA keys of tests: a tenth of a second each to generate, so every file of a run takes them from one pool on disk.
import { createPrivateKey, createPublicKey, generateKeyPairSync, randomBytes } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const pairs = new Map()
const next = new Map()

/** Before each test file: the pools are used from their beginning again. */
export const resetRsaKeys = () => next.clear()

/**
 * Takes the next pair of a pool. No pair comes twice in a file, and no pair is in two pools: a key of a peer is never one of the service.
 */
export function nextRsaKeyPair(pool = 'peer', modulusLength = 2_048) {
  const line = `${pool}-${modulusLength}`
  const number = next.get(line) ?? 0
  next.set(line, number + 1)
  const name = `${line}-${number}`
  const pair = pairs.get(name) ?? readOrGenerate(name, modulusLength)
  pairs.set(name, pair)
  return pair
}

function readOrGenerate(name, modulusLength) {
  const folder = process.env.KEYWARD_TEST_FOLDER
  if (!folder) return generateKeyPairSync('rsa', { modulusLength })
  const file = join(folder, `${name}.pem`)
  if (existsSync(file)) {
    const privateKey = createPrivateKey(readFileSync(file))
    return { privateKey, publicKey: createPublicKey(privateKey) }
  }
  const pair = generateKeyPairSync('rsa', { modulusLength })
  // Another worker may write the same file concurrently: the rename keeps it complete.
  const part = `${file}.${randomBytes(6).toString('hex')}`
  writeFileSync(part, pair.privateKey.export({ format: 'pem', type: 'pkcs8' }), { mode: 0o600 })
  renameSync(part, file)
  return pair
}

/** Returns cheap replacements for the secrets of a real service. @param pool one per node, so that two nodes never create the same key */
export const cheapSecrets = (pool) => ({
  hashCost: { memoryCost: 64, timeCost: 1 },
  generateRsaKeyPair: async () => nextRsaKeyPair(pool),
})

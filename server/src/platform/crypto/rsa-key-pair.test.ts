import { scrypt } from 'node:crypto'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { generateRsaKeyPair } from './rsa-key-pair.js'

it('Key pairs are generated one after the other, so that hashes find a free thread', async () => {
  let generated = 0
  const pairs = Array.from({ length: 12 }, () => generateRsaKeyPair().then(() => generated++))
  await promisify(scrypt)('password', 'salt', 32)
  // All at once would occupy the four threads of the pool: at least nine pairs would come first.
  expect(generated).toBeLessThan(6)
  await Promise.all(pairs)
})

// RSA keys for tests. Generating one takes a fifth of a second, so all files of a run share a pool on disk, and many keys are built from
// a few primes.
import { createPrivateKey, createPublicKey, generateKeyPairSync, generatePrimeSync, randomBytes } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const pairs = new Map()
const next = new Map()

/** Resets the pools. Called before each test file. */
export const resetRsaKeys = () => next.clear()

/**
 * Takes the next pair of a pool. A file gets no pair twice, and pools share no pair, so a peer never has a key of the service.
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

/** The number of pairs that this file has taken from a pool. */
export const keyPairsTaken = (pool, modulusLength = 2_048) => next.get(`${pool}-${modulusLength}`) ?? 0

function readOrGenerate(name, modulusLength) {
  const folder = process.env.KEYWARD_TEST_FOLDER
  if (!folder) return generate(modulusLength)
  const file = join(folder, `${name}.pem`)
  if (existsSync(file)) {
    const privateKey = createPrivateKey(readFileSync(file))
    return { privateKey, publicKey: createPublicKey(privateKey) }
  }
  const pair = generate(modulusLength)
  // Another worker may write the same file concurrently: the rename keeps it complete.
  const part = `${file}.${randomBytes(6).toString('hex')}`
  writeFileSync(part, pair.privateKey.export({ format: 'pem', type: 'pkcs8' }), { mode: 0o600 })
  renameSync(part, file)
  return pair
}

const EXPONENT = 65_537n
const primes = []
let generated = 0

/** Each key uses a different pair of the primes. Keys that share a prime are insecure outside of tests. */
function generate(modulusLength) {
  if (modulusLength !== 2_048) return generateKeyPairSync('rsa', { modulusLength })
  let [first, second] = [1, generated++]
  while (second >= first) second -= first++
  while (primes.length <= first) primes.push(newPrime())
  return pairOf(primes[first], primes[second])
}

function newPrime() {
  const prime = generatePrimeSync(1_024, { bigint: true })
  return prime % EXPONENT === 1n ? newPrime() : prime
}

const pairOf = (p, q) => pairOfFactors([p], [q], EXPONENT)

/** The CRT parameters only require distinct primes as factors of both halves. */
function pairOfFactors(first, second, exponent) {
  const product = (numbers) => numbers.reduce((all, number) => all * number, 1n)
  const [p, q] = [product(first), product(second)]
  const [ofP, ofQ] = [first, second].map((primes) => product(primes.map((prime) => prime - 1n)))
  const d = inverse(exponent, ofP * ofQ)
  const numbers = { n: p * q, e: exponent, d, p, q, dp: d % ofP, dq: d % ofQ, qi: inverse(q, p) }
  const members = Object.entries(numbers).map(([name, number]) => [name, base64urlOf(number)])
  const privateKey = createPrivateKey({ key: { kty: 'RSA', ...Object.fromEntries(members) }, format: 'jwk' })
  return { privateKey, publicKey: createPublicKey(privateKey) }
}

/** The first prime beyond the public exponents that the service accepts. */
const LARGE_EXPONENT = 2n ** 32n + 15n

/**
 * Creates a valid RSA pair that the service rejects: about 8,192 bits, or 2,048 bits with a public exponent of 33 bits. Its factors are
 * products of 1,024-bit primes, which are fast to generate.
 */
export function rejectedRsaKeyPair(why) {
  const exponent = why === 'exponent' ? LARGE_EXPONENT : EXPONENT
  const factors = []
  while (factors.length < (why === 'exponent' ? 2 : 8)) {
    const prime = newPrime()
    if (prime % exponent !== 1n) factors.push(prime)
  }
  return pairOfFactors(factors.slice(0, factors.length / 2), factors.slice(factors.length / 2), exponent)
}

/** Returns the modular inverse (extended Euclidean algorithm). */
function inverse(number, modulus) {
  let [before, now] = [modulus, number % modulus]
  let [factorBefore, factor] = [0n, 1n]
  while (now > 1n) {
    const times = before / now
    ;[before, now] = [now, before - times * now]
    ;[factorBefore, factor] = [factor, factorBefore - times * factor]
  }
  return ((factor % modulus) + modulus) % modulus
}

function base64urlOf(number) {
  const digits = number.toString(16)
  return Buffer.from(digits.padStart(digits.length + (digits.length % 2), '0'), 'hex').toString('base64url')
}

/** Returns low-cost replacements for the secrets of a real service. @param pool one per node, so that two nodes never create the same key */
export const lowCostSecrets = (pool) => ({
  hashCost: { memoryCost: 64, timeCost: 1 },
  generateRsaKeyPair: async () => nextRsaKeyPair(pool),
})

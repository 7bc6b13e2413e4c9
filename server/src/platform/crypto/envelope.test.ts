import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { systemClock } from '../clock.js'
import { encryptionKeyFromFile } from './encryption-key-file.js'
import { createEnvelope } from './envelope.js'
import { randomToken, uuidv7 } from './random.js'
import { hashParts, secretsEqual } from './token-hash.js'

const [oldKey, newKey] = [randomBytes(32), randomBytes(32)] as [Buffer, Buffer]
const before = createEnvelope([oldKey])
const during = createEnvelope([newKey, oldKey])
const after = createEnvelope([newKey])

describe('a sealed value', () => {
  it.each(['', 'secret', '\u0000\ud83e\udd8a', 'x'.repeat(100_000)])('opens to the original value', (plain) => {
    expect(before.open(before.seal(plain, 'a'), 'a').toString()).toBe(plain)
  })

  it('differs each time and contains no plaintext', () => {
    const [one, two] = [before.seal('the secret', 'a'), before.seal('the secret', 'a')]
    expect(one).not.toBe(two)
    expect(`${one}${Buffer.from(one, 'base64url')}`).not.toContain('the secret')
  })

  it('rejects a value that was sealed for another row', () => {
    const sealed = before.seal('secret', 'server-key:1')
    for (const context of ['server-key:2', 'server-key:', '', 'mail:1'])
      expect(() => before.open(sealed, context)).toThrow()
  })

  it('rejects a value after a change of any single character', () => {
    const sealed = before.seal('secret', 'a')
    for (let position = 0; position < sealed.length; position++) {
      const other = sealed[position] === 'A' ? 'B' : 'A'
      // The last character of a part can have unused bits.
      if (sealed[position] === '.' || !sealed[position + 1] || sealed[position + 1] === '.') continue
      expect(() => before.open(sealed.slice(0, position) + other + sealed.slice(position + 1), 'a')).toThrow()
    }
  })

  it('rejects a value that is truncated, mixed with another, or malformed', () => {
    const [one, two] = [before.seal('one', 'a').split('.'), before.seal('two', 'a').split('.')]
    const mixed = [...one.slice(0, 3), two[3]].join('.')
    for (const text of [
      mixed,
      one.slice(0, 3).join('.'),
      `${one.join('.')}`.slice(0, -8),
      '',
      'v1...',
      'v2.a.b.c',
      'plain',
    ])
      expect(() => before.open(text, 'a')).toThrow()
  })

  it('rejects a value that was sealed with another key, and names the key only by its ID', () => {
    const sealed = before.seal('secret', 'a')
    expect(() => after.open(sealed, 'a')).toThrow(`sealed under the key ${before.keyId}`)
  })

  it('opens during a rotation, and after it once it is rewrapped', () => {
    const sealed = before.seal('secret', 'a')
    expect(during.open(sealed, 'a').toString()).toBe('secret')
    const rewrapped = during.rewrap(sealed, 'a') as string
    expect(after.open(rewrapped, 'a').toString()).toBe('secret')
    expect(() => before.open(rewrapped, 'a')).toThrow()
    expect(during.rewrap(rewrapped, 'a')).toBeUndefined()
    expect(() => during.rewrap(sealed, 'b')).toThrow()
  })

  it('requires a key', () => expect(() => createEnvelope([])).toThrow())
})

describe('encryptionKeyFromFile', () => {
  const folder = mkdtempSync(join(tmpdir(), 'keyward-key-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('fails with the folder and the user if the folder cannot be used', async () => {
    writeFileSync(join(folder, 'file'), '')
    const inFile = join(folder, 'file', 'data')
    await expect(encryptionKeyFromFile(inFile)).rejects.toThrow(
      /file\/data cannot be written by user \d+ \(ENOTDIR\)\. DATA_DIR/,
    )
  })

  it('creates the file once, readable only by its owner', async () => {
    const keys = await Promise.all(
      [1, 2, 3].map(() => encryptionKeyFromFile(join(folder, 'made')).catch(() => undefined)),
    )
    const [key] = await encryptionKeyFromFile(join(folder, 'made'))
    expect(key).toHaveLength(32)
    for (const found of keys) if (found) expect(found).toEqual([key])
    expect(statSync(join(folder, 'made', 'encryption.key')).mode & 0o777).toBe(0o600)
  })

  it('reads several keys, of which the first seals', async () => {
    const file = join(folder, 'made', 'encryption.key')
    const [first] = await encryptionKeyFromFile(join(folder, 'made'))
    writeFileSync(file, `${newKey.toString('base64')},${readFileSync(file, 'utf8')}`)
    expect(await encryptionKeyFromFile(join(folder, 'made'))).toEqual([newKey, first])
  })

  it.each(['', 'short', Buffer.alloc(31).toString('base64')])(
    'keeps a damaged file (%j), because replacing it would lose every secret',
    async (content) => {
      const file = join(folder, 'made', 'encryption.key')
      writeFileSync(file, content)
      await expect(encryptionKeyFromFile(join(folder, 'made'))).rejects.toThrow(/restore it from a backup/)
      expect(readFileSync(file, 'utf8')).toBe(content)
    },
  )
})

const firstOutOfOrder = (ids: string[]) => ids.find((id, index) => index > 0 && id <= (ids[index - 1] ?? ''))

describe('IDs and tokens', () => {
  it('generates unique UUIDs of version 7 in order of creation', () => {
    let now = 1_700_000_000_000
    const clock = { ms: () => now, now: () => new Date(now) }
    const rounds = Array.from({ length: 1_000 }, () => {
      now += 1
      return Array.from({ length: 20 }, () => uuidv7(clock))
    })
    const ids = rounds.flat()
    expect(new Set(ids).size).toBe(20_000)
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(firstOutOfOrder(ids)).toBeUndefined()
    const id = uuidv7(systemClock)
    expect(Math.abs(Number.parseInt(id.replace('-', '').slice(0, 12), 16) - Date.now())).toBeLessThan(10_000)
  })

  it('keeps IDs in order when the counter of a millisecond overflows and when the clock is corrected', () => {
    let now = 1_800_000_000_000
    const clock = { ms: () => now, now: () => new Date(now) }
    const make = () => Array.from({ length: 5_000 }, () => uuidv7(clock))
    const ids = make()
    now -= 500
    ids.push(...make())
    now += 1_000
    ids.push(...make())
    expect(new Set(ids).size).toBe(15_000)
    expect(firstOutOfOrder(ids)).toBeUndefined()
    const lastTime = Number.parseInt(ids.at(-1)?.replace('-', '').slice(0, 12) ?? '', 16)
    expect(Math.abs(lastTime - now)).toBeLessThan(1_000)
  })

  it('generates unique tokens of 256 bits', () => {
    const tokens = Array.from({ length: 10_000 }, randomToken)
    expect(new Set(tokens).size).toBe(10_000)
    for (const token of tokens) expect(Buffer.from(token, 'base64url')).toHaveLength(32)
  })

  it('hashes lists with different boundaries to different values', () => {
    expect(hashParts('ab', 'c')).not.toEqual(hashParts('a', 'bc'))
    expect(hashParts('a', '')).not.toEqual(hashParts('a'))
  })

  it('compares secrets of any length', () => {
    expect(secretsEqual('secret', 'secret')).toBe(true)
    for (const other of ['', 'secre', 'secret ', 'Secret', 'secretsecret'])
      expect(secretsEqual('secret', other)).toBe(false)
  })
})

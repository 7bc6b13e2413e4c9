import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { runBuilt } from '../../../test/harness/built-server.js'
import { ConfigError, readConfig } from './config.js'
import { helpText } from './help.js'
import { SETTINGS } from './settings.js'

const KEY = Buffer.alloc(32, 7).toString('base64')

function problemsOf(env: Record<string, string>): string[] {
  try {
    readConfig(env)
    return []
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError)
    return (error as ConfigError).problems
  }
}

const WRONG: [name: string, value: string, complaint: RegExp][] = [
  ['PORT', '0', /^PORT=0 must be a whole number from 1 to 65535$/],
  ['PORT', '65536', /whole number/],
  ['PORT', '3000x', /whole number/],
  ['BASE_URL', 'example.com', /http:\/\/ or https:\/\/ URL/],
  ['BASE_URL', 'ftp://example.com', /http:\/\/ or https:\/\/ URL/],
  ['BASE_URL', 'https://example.com/?x=1', /no query/],
  ['BASE_URL', 'https://example.com/#x', /no fragment|no query/],
  ['FRONTEND_URL', 'https://me:hunter2@example.com', /no credentials/],
  ['DATABASE_URL', 'mysql://me:hunter2@host/db', /^DATABASE_URL must be a URL that begins with postgres:/],
  ['DATABASE_POOL', '0', /whole number from 1/],
  ['SMTP_URL', 'http://me:hunter2@host', /^SMTP_URL must be a URL that begins with smtp:/],
  ['API_TOKEN', 'hunter2', /^API_TOKEN must have at least 32 characters/],
  ['API_TOKEN', `hunter2${'x'.repeat(24)}`, /32 characters/],
  ['ENCRYPTION_KEY', 'hunter2', /^ENCRYPTION_KEY must be 32 bytes in base64/],
  ['ENCRYPTION_KEY', `${KEY},hunter2`, /32 bytes/],
  ['TRUST_PROXY', 'sometimes', /^TRUST_PROXY=sometimes must be off/],
  ['TRUST_PROXY', 'abc', /must be off/],
  ['TRUST_PROXY', '10.0.0.0/99', /must be off/],
  ['TRUST_PROXY', '10.0.0.1,unknown', /must be off/],
  ['ENFORCE_PASSWORD_CHANGE', '2', /must be true or false/],
  ['MAX_MEMBERS', '0', /whole number from 1/],
  ['MAX_APPLICATIONS', '-1', /whole number from 0/],
  ['LIMIT_ACCOUNT_FAILURES', '1e3', /whole number/],
  ['LIMIT_ACCOUNT_MINUTES', '0', /whole number from 1/],
  ['LOG_LEVEL', 'loud', /must be one of fatal, error/],
]

describe('an invalid setting', () => {
  it.each(WRONG)('reports %s=%s in one line that contains no secret', (name, value, complaint) => {
    const problems = problemsOf({ [name]: value, ...(name === 'DATABASE_URL' && { ENCRYPTION_KEY: KEY }) })
    expect(problems).toHaveLength(1)
    expect(problems[0]).toMatch(complaint)
    expect(problems[0]).not.toMatch(/hunter2|\n/)
  })

  it('reports an invalid setting together with all others', () => {
    const problems = problemsOf({
      PORT: 'x',
      BASE_URL: 'y',
      LOG_LEVEL: 'z',
      ENCRYPTION_KEY: 'hunter2',
      DATABASE_URL: 'hunter2',
    })
    expect(problems.map((line) => /^\w+/.exec(line)?.[0])).toEqual([
      'PORT',
      'BASE_URL',
      'DATABASE_URL',
      'ENCRYPTION_KEY',
      'LOG_LEVEL',
    ])
    expect(problems.join()).not.toContain('hunter2')
  })

  it('includes a missing ENCRYPTION_KEY with DATABASE_URL', () => {
    const [problem, ...others] = problemsOf({ DATABASE_URL: 'postgres://me:hunter2@host/db' })
    expect(problem).toMatch(/^ENCRYPTION_KEY must be set together with DATABASE_URL/)
    expect(others).toEqual([])
    expect(problemsOf({ DATABASE_URL: 'postgres://host/db', ENCRYPTION_KEY: KEY })).toEqual([])
  })
})

describe('readConfig', () => {
  it('treats empty settings as unset', () => {
    const empty = Object.fromEntries(Object.keys(SETTINGS).map((name) => [name, ' ']))
    expect(readConfig(empty)).toEqual(readConfig({}))
  })

  it('applies the documented defaults', () => {
    expect(readConfig({})).toMatchObject({
      port: 3000,
      host: 'localhost',
      baseUrl: 'http://localhost:3000',
      frontendUrl: 'http://localhost:3000',
      loopback: true,
      secure: false,
      trustProxy: false,
      commonPasswords: 'off',
      maxMembers: 10_000,
      maxApplications: 1_000,
    })
    expect(readConfig({ PORT: '80', BASE_URL: 'https://id.example.com/' })).toMatchObject({
      baseUrl: 'https://id.example.com',
      frontendUrl: 'https://id.example.com',
      loopback: false,
      secure: true,
      commonPasswords: 'on',
    })
  })

  it.each(['http://localhost', 'http://127.0.0.1:80', 'http://127.9.9.9', 'http://[::1]:3000', 'http://id.localhost'])(
    'detects %s as loopback',
    (BASE_URL) => {
      expect(readConfig({ BASE_URL }).loopback).toBe(true)
    },
  )
  it.each(['http://localhost.example.com', 'http://127.0.0.1.example.com', 'http://10.0.0.1', 'http://0.0.0.0'])(
    'detects %s as public',
    (BASE_URL) => {
      expect(readConfig({ BASE_URL }).loopback).toBe(false)
    },
  )
})

describe('the program', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'keyward-config-'))
  afterAll(() => rmSync(dataDir, { recursive: true, force: true }))
  async function run(env: Record<string, string | undefined>, ...args: string[]) {
    const { process: child, output } = runBuilt({ DATA_DIR: dataDir, ...env } as Record<string, string>, ...args)
    const [code] = await once(child, 'close')
    return { code, output: output() }
  }

  it('prints every setting with its default for --help and does not start', async () => {
    const { code, output } = await run({ API_TOKEN: 'hunter2' }, '--help')
    expect(code).toBe(0)
    expect(output).toBe(helpText())
    for (const [name, { meaning, defaultText }] of Object.entries(SETTINGS)) {
      const line = output.split('\n').find((candidate) => candidate.startsWith(`  ${name} `))
      expect(line).toContain(meaning)
      expect(line).toContain(defaultText)
    }
    expect(output).not.toContain('hunter2')
  })

  it.each([
    {
      env: { PORT: 'x', SMTP_URL: 'hunter2' },
      says: /^Invalid settings:\n {2}PORT=x must be .*\n {2}SMTP_URL must be .*\n$/,
    },
    {
      env: { DATABASE_URL: 'postgres://me:hunter2@localhost/db' },
      says: /^Invalid setting:\n {2}ENCRYPTION_KEY must be set .*\n$/,
    },
  ])('exits with 1 and prints only the problems for invalid settings: $env', async ({ env, says }) => {
    const { code, output } = await run({ ...env })
    expect(code).toBe(1)
    expect(output).toMatch(says)
    expect(output).not.toContain('hunter2')
  })

  it.each([
    { what: 'an unknown argument', env: {}, args: ['--hepl'], says: /Unknown argument --hepl; try --help/ },
    {
      what: 'a missing password list',
      env: { COMMON_PASSWORDS: '/nowhere/list' },
      args: [],
      says: /\/nowhere\/list/,
    },
    {
      what: 'an unreachable database',
      env: { DATABASE_URL: 'postgres://me:hunter2@localhost:1/db', ENCRYPTION_KEY: KEY },
      args: [],
      says: /./,
    },
  ])('exits with 1 and prints no stack trace for $what', async ({ env, args, says }) => {
    const { code, output } = await run({ ...env }, ...args)
    expect(code).toBe(1)
    expect(output).toMatch(says)
    expect(output).not.toMatch(/^\s+at |hunter2|node:internal/m)
  })
})

import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { runBuilt } from '../../../test/harness/built-server.js'
import { failToStart } from '../../../test/harness/command-line.js'
import { ConfigError, readConfig } from './config.js'
import { settingsText } from './help.js'
import { readWarnings } from './read-warnings.js'
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
  ['SMTP_URL', 'smtp://me:hunter2@mail.example.com?ignoreTLS=true', /^SMTP_URL has ignoreTLS, but TLS is required/],
  ['SMTP_URL', 'smtp://me:hunter2@mail.example.com?opportunisticTLS=true', /^SMTP_URL has opportunisticTLS, but TLS/],
  ['SMTP_URL', 'smtp://me:hunter2@mail.example.com?requireTLS=false', /^SMTP_URL has requireTLS, but TLS is required/],
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

  it.each([
    ['smtp://me:secret@mail.example.com', undefined, true],
    ['smtp://me:secret@10.0.0.1', undefined, true],
    ['smtp://mail.example.com', undefined, false],
    ['smtp://me:secret@localhost', undefined, false],
    ['smtp://me:secret@[::1]:2525', undefined, false],
    ['smtp://me:secret@127.0.0.1', 'true', true],
    ['smtp://mail.example.com', 'true', true],
    ['smtp://me:secret@mail.example.com?ignoreTLS=true', 'false', false],
  ])('requires TLS for %s with SMTP_REQUIRE_TLS=%s: %s', (SMTP_URL, SMTP_REQUIRE_TLS, required) => {
    expect(readConfig({ SMTP_URL, SMTP_REQUIRE_TLS }).smtpRequireTls).toBe(required)
  })

  it.each([',', ' , ', '\n', '\r\n'])('reads encryption keys that %j separates, as in encryption.key', (separator) => {
    const other = Buffer.alloc(32, 8).toString('base64')
    const { encryptionKeys = [] } = readConfig({ ENCRYPTION_KEY: `${KEY}${separator}${other}\n` })
    expect(encryptionKeys.map((key) => key.toString('base64'))).toEqual([KEY, other])
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

/** Variables of shells, npm, containers, orchestrators, CI systems, proxies and other programs. */
const COMMON =
  `PATH HOME USER LOGNAME SHELL SHLVL PWD OLDPWD TERM LANG LC_ALL TZ TMPDIR EDITOR PAGER MAIL HOSTNAME HOSTTYPE OSTYPE
  DISPLAY SSH_AUTH_SOCK XDG_DATA_DIRS XDG_RUNTIME_DIR INVOCATION_ID JOURNAL_STREAM NOTIFY_SOCKET LISTEN_FDS STATE_DIRECTORY
  npm_command npm_config_cache npm_config_loglevel npm_lifecycle_event npm_node_execpath npm_package_name INIT_CWD COLOR NODE
  NODE_ENV NODE_OPTIONS NODE_VERSION NODE_EXTRA_CA_CERTS YARN_VERSION NPM_TOKEN NPM_CONFIG_LOGLEVEL HTTP_PROXY HTTPS_PROXY
  NO_PROXY http_proxy no_proxy SSL_CERT_FILE SSL_CERT_DIR KUBERNETES_PORT KUBERNETES_PORT_443_TCP KUBERNETES_PORT_443_TCP_ADDR
  KUBERNETES_PORT_443_TCP_PORT KUBERNETES_PORT_443_TCP_PROTO KUBERNETES_SERVICE_HOST KUBERNETES_SERVICE_PORT
  KUBERNETES_SERVICE_PORT_HTTPS KEYWARD_PORT KEYWARD_SERVICE_HOST KEYWARD_SERVICE_PORT DB_PORT DB_SERVICE_HOST DB_HOST DB_URL
  POSTGRES_DB POSTGRES_HOST POSTGRES_PASSWORD POSTGRES_PORT POSTGRES_USER PGHOST PGPORT PGUSER PGDATABASE PGPASSWORD
  DATABASE_HOST DATABASE_PORT DATABASE_USER DATABASE_NAME DATABASE_PASSWORD SMTP_HOST SMTP_PORT SMTP_USER REDIS_URL AMQP_URL
  HTTP_URL FTP_URL API_URL API_KEY APP_URL CI CI_TOKEN GH_TOKEN GITHUB_TOKEN GITHUB_ACTIONS GITLAB_CI RUNNER_OS BUILD_ID DYNO
  FLY_REGION FLY_APP_NAME RENDER K_SERVICE K_REVISION AWS_REGION AWS_ACCESS_KEY_ID AZURE_CLIENT_ID GOOGLE_CLOUD_PROJECT
  VAULT_ADDR VAULT_TOKEN CACHE_DIR BASE_DIR DATA LOG_FORMAT DEBUG POST SORT COST MOST VHOST FONT SPORT`.split(/\s+/)

const warningsOf = (env: Record<string, string>) => readWarnings(readConfig(env), env).map(({ message }) => message)

describe('readWarnings', () => {
  it.each([
    ['BASE_URLL', 'BASE_URL'],
    ['BASEURL', 'BASE_URL'],
    ['BSAE_URL', 'BASE_URL'],
    ['base_url', 'BASE_URL'],
    ['PROT', 'PORT'],
    ['HOSTT', 'HOST'],
    ['DATABSE_URL', 'DATABASE_URL'],
    ['DATABASE_ULR', 'DATABASE_URL'],
    ['ENCRYPTON_KEY', 'ENCRYPTION_KEY'],
    ['SMPT_URL', 'SMTP_URL'],
    ['TRUSTED_PROXY', 'TRUST_PROXY'],
    ['EMAIL_FROM', 'MAIL_FROM'],
    ['LOGLEVEL', 'LOG_LEVEL'],
  ])('warns that %s is not a setting and names %s, without its value', (variable, setting) => {
    expect(warningsOf({ [variable]: 'hunter2' })).toEqual([
      `The environment variable ${variable} is not a setting and has no effect. Did you mean ${setting}?`,
    ])
  })

  it('ignores settings and common variables of other programs', () => {
    const settings = Object.keys(SETTINGS).map((name) => [name, ''])
    const common = COMMON.map((name) => [name, 'x'])
    expect(warningsOf(Object.fromEntries([...settings, ...common]))).toEqual([])
  })

  it('warns while ACCEPT_LOSS is set', () => {
    expect(warningsOf({ ACCEPT_LOSS: '1' })).toEqual([expect.stringMatching(/^ACCEPT_LOSS is set: .* Remove it/)])
    expect(warningsOf({ ACCEPT_LOSS: 'false' })).toEqual([])
  })

  it('warns about a BASE_URL with http outside of loopback', () => {
    expect(warningsOf({ BASE_URL: 'http://id.example.com' })).toEqual([
      expect.stringMatching(/^BASE_URL=http:\/\/id\.example\.com uses http: .*https/),
    ])
    for (const BASE_URL of ['https://id.example.com', 'http://localhost:8080', 'http://127.0.0.1'])
      expect(warningsOf({ BASE_URL })).toEqual([])
  })
})

describe('the program', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'keyward-config-'))
  afterAll(() => rmSync(dataDir, { recursive: true, force: true }))
  async function run(env: Record<string, string>, args: string[] = []) {
    const { process: child, output } = runBuilt({ DATA_DIR: dataDir, ...env }, ...args)
    const [code] = await once(child, 'close')
    return { code, output: output() }
  }

  it('prints every setting with its default for --help and does not start', async () => {
    const { code, output } = await run({ API_TOKEN: 'hunter2' }, ['--help'])
    expect(code).toBe(0)
    expect(output).toContain(settingsText())
    for (const [name, { meaning, defaultText }] of Object.entries(SETTINGS)) {
      const line = output.split('\n').find((candidate) => candidate.startsWith(`  ${name} `))
      expect(line).toContain(meaning)
      expect(line).toContain(defaultText)
    }
    expect(output).not.toContain('hunter2')
  })

  it('names PORT if another program uses the port', async () => {
    const other = createServer().listen(0)
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    const { code, output } = await failToStart({ DATA_DIR: dataDir, PORT: `${port}` })
    other.close()
    expect(code).toBe(1)
    expect(output).toContain(`The port ${port} is in use. End the program that uses it, or set PORT to another port.`)
  }, 30_000)

  it.each<{ env: Record<string, string>; says: RegExp }>([
    {
      env: { PORT: 'x', SMTP_URL: 'hunter2' },
      says: /^Invalid settings:\n {2}PORT=x must be .*\n {2}SMTP_URL must be .*\n$/,
    },
    {
      env: { DATABASE_URL: 'postgres://me:hunter2@localhost/db' },
      says: /^Invalid setting:\n {2}ENCRYPTION_KEY must be set .*\n$/,
    },
  ])('exits with 3 and prints only the problems for invalid settings: $env', async ({ env, says }) => {
    const { code, output } = await failToStart(env)
    expect(code).toBe(3)
    expect(output).toMatch(says)
    expect(output).not.toContain('hunter2')
  })

  it.each<{
    what: string
    env: Record<string, string>
    args: string[]
    exits: number
    says: RegExp
    ran: typeof failToStart
  }>([
    {
      what: 'an unknown argument',
      env: {},
      args: ['--hepl'],
      exits: 2,
      says: /unknown option '--hepl'/,
      ran: failToStart,
    },
    {
      what: 'a missing password list',
      env: { DATA_DIR: dataDir, COMMON_PASSWORDS: '/nowhere/list' },
      args: [],
      exits: 3,
      ran: failToStart,
      says: /^Invalid setting:\n {2}COMMON_PASSWORDS=\/nowhere\/list cannot be read \(ENOENT\)$/m,
    },
    {
      what: 'an unavailable database, after it has waited for it',
      env: {
        DATABASE_URL: 'postgres://me:hunter2@localhost:1/db',
        ENCRYPTION_KEY: KEY,
        DATABASE_WAIT_SECONDS: '1',
        BASE_URLL: 'https://id.example.com',
      },
      // With a command, the program ends only when nothing is open.
      args: ['start'],
      exits: 3,
      ran: run,
      says: new RegExp(
        [
          /"msg":"The environment variable BASE_URLL is not a setting/,
          /"database":"localhost:1","cause":"ECONNREFUSED","waitSeconds":1,"msg":"waiting for the database"/,
          /^The database at localhost:1 was not available within 1 second \(ECONNREFUSED\)\. .*DATABASE_URL.*\n$/,
        ]
          .map(({ source }) => source)
          .join('[\\s\\S]*'),
        'm',
      ),
    },
  ])('exits with $exits and prints no stack trace for $what', async ({ env, args, says, exits, ran }) => {
    const { code, output } = await ran(env, args)
    expect(code).toBe(exits)
    expect(output).toMatch(says)
    expect(output).not.toMatch(/^\s+at |hunter2|node:internal/m)
  })
})

import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { SETTINGS, type Setting } from './settings.js'

type Settings = typeof SETTINGS
type Values = {
  [K in keyof Settings]: ReturnType<Settings[K]['parse']> | (Settings[K]['hasDefault'] extends true ? never : undefined)
}

/** The configuration, read once at startup and passed on as a plain value. */
export type Config = ReturnType<typeof assemble>

/** Lists every invalid setting, one line each, so that all of them can be corrected at once. */
export class ConfigError extends Error {
  constructor(readonly problems: string[]) {
    super(
      `Invalid ${problems.length === 1 ? 'setting' : 'settings'}:\n${problems.map((line) => `  ${line}`).join('\n')}`,
    )
    this.name = 'ConfigError'
  }
}

/** Returns whether a host name, in the form of `URL`, is the loopback interface (RFC 6761 6.3, RFC 8252 7.3). */
export const isLoopbackHost = (hostname: string): boolean => {
  const host = hostname.replace(/^\[|\]$/g, '')
  return (
    host === 'localhost' ||
    host.endsWith('.localhost') ||
    host === '::1' ||
    (isIP(host) === 4 && host.startsWith('127.'))
  )
}

/** Removes the credentials of a URL, which must not appear in an error. */
export const withoutCredentials = (value: string): string => value.replace(/\/\/\S*@/g, '//…@')

export type SettingName = keyof Settings

/** An invalid or missing setting. `message` contains its name and the reason, but not the value of a secret setting. */
export interface SettingProblem {
  setting: SettingName
  message: string
}

/**
 * Reads the settings from `env`. An empty value counts as unset.
 * @throws ConfigError with each invalid setting and the reason, but without the values of secret settings
 */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const { config, problems } = inspectConfig(env)
  if (problems.length > 0) throw new ConfigError(problems.map(({ message }) => message))
  return config
}

/** Reads the settings from `env` and returns all problems. In the configuration, the default replaces an invalid setting. */
export function inspectConfig(env: NodeJS.ProcessEnv): { config: Config; problems: SettingProblem[] } {
  const values: Partial<Record<SettingName, unknown>> = {}
  const problems: SettingProblem[] = []
  for (const [name, setting] of Object.entries<Setting<unknown>>(SETTINGS) as [SettingName, Setting<unknown>][]) {
    const text = env[name]?.trim() || (setting.hasDefault ? setting.defaultText : undefined)
    if (!text) continue
    try {
      values[name] = setting.parse(text)
    } catch (error) {
      const shown = setting.secret ? '' : `=${withoutCredentials(text)}`
      problems.push({ setting: name, message: `${name}${shown} ${(error as Error).message}` })
      if (setting.hasDefault) values[name] = setting.parse(setting.defaultText)
    }
  }
  if (values.DATABASE_URL && !env.ENCRYPTION_KEY?.trim())
    problems.push({
      setting: 'ENCRYPTION_KEY',
      message:
        'ENCRYPTION_KEY must be set together with DATABASE_URL: every node needs the same one (openssl rand -base64 32)',
    })
  for (const message of problemsOfSmtp(values as Values)) problems.push({ setting: 'SMTP_URL', message })
  return { config: assemble(values as Values), problems }
}

/** Returns whether mails require TLS: by default, before a password is sent over a network. */
function requiresTls({ SMTP_URL, SMTP_REQUIRE_TLS }: Values): boolean {
  if (SMTP_REQUIRE_TLS !== undefined) return SMTP_REQUIRE_TLS
  const url = SMTP_URL ? new URL(SMTP_URL) : undefined
  return Boolean(url?.password) && !isLoopbackHost(url?.hostname ?? '')
}

/** Returns a line for each parameter of SMTP_URL that disables the TLS that the settings require. */
function problemsOfSmtp(values: Values): string[] {
  if (!values.SMTP_URL || !requiresTls(values)) return []
  const { searchParams } = new URL(values.SMTP_URL)
  const isOff = (value: string | null) => ['0', 'false'].includes(value ?? '')
  return ['ignoreTLS', 'opportunisticTLS', 'requireTLS']
    .filter((name) => searchParams.has(name) && isOff(searchParams.get(name)) === (name === 'requireTLS'))
    .map(
      (name) =>
        `SMTP_URL has ${name}, but TLS is required: remove it, or allow mails and the password without TLS by SMTP_REQUIRE_TLS=false`,
    )
}

function assemble(values: Values) {
  const port = values.PORT
  const baseUrl = values.BASE_URL ?? `http://localhost:${port}`
  const { hostname, protocol } = new URL(baseUrl)
  const loopback = isLoopbackHost(hostname)
  return {
    port,
    host: values.HOST,
    baseUrl,
    frontendUrl: values.FRONTEND_URL ?? baseUrl,
    /** Only this machine can reach the service, as in development. Some defaults are less strict. */
    loopback,
    secure: protocol === 'https:',
    dataDir: resolve(values.DATA_DIR),
    databaseUrl: values.DATABASE_URL,
    embedded: { fsync: values.EMBEDDED_FSYNC, acceptLoss: values.ACCEPT_LOSS },
    databasePool: values.DATABASE_POOL,
    databaseWaitSeconds: values.DATABASE_WAIT_SECONDS,
    smtpUrl: values.SMTP_URL,
    smtpRequireTls: requiresTls(values),
    mailFrom: values.MAIL_FROM,
    dnsServers: values.DNS_SERVERS,
    apiToken: values.API_TOKEN,
    setupSecret: values.SETUP_SECRET,
    encryptionKeys: values.ENCRYPTION_KEY,
    trustProxy: values.TRUST_PROXY,
    geoipDb: values.GEOIP_DB && resolve(values.GEOIP_DB),
    commonPasswords: values.COMMON_PASSWORDS ?? (loopback ? 'off' : 'on'),
    enforcePasswordChange: values.ENFORCE_PASSWORD_CHANGE,
    allowPrivateNetwork: values.ALLOW_PRIVATE_NETWORK ?? loopback,
    requireIntrospectionAuth: values.REQUIRE_INTROSPECTION_AUTH,
    maxMembers: values.MAX_MEMBERS,
    maxApplications: values.MAX_APPLICATIONS,
    organizationLimits: values.ORGANIZATION_LIMITS,
    selfServiceTeams: values.SELF_SERVICE_TEAMS,
    limits: {
      accountFailures: values.LIMIT_ACCOUNT_FAILURES,
      accountMinutes: values.LIMIT_ACCOUNT_MINUTES,
      sourceFailures: values.LIMIT_SOURCE_FAILURES,
      rejectedBodies: values.LIMIT_REJECTED_BODIES,
      registrations: values.LIMIT_REGISTRATIONS,
      teams: values.LIMIT_TEAMS ?? (loopback ? 0 : SETTINGS.LIMIT_TEAMS.outsideLoopback),
      teamsOfSource: values.LIMIT_TEAMS_OF_SOURCE ?? (loopback ? 0 : SETTINGS.LIMIT_TEAMS_OF_SOURCE.outsideLoopback),
      links: values.LIMIT_LINKS,
      discoveries: values.LIMIT_DISCOVERIES,
      rsaKeys: values.LIMIT_RSA_KEYS,
      mails: values.LIMIT_MAILS,
      teamMails: values.LIMIT_TEAM_MAILS,
      unverifiedRecipients:
        values.LIMIT_UNVERIFIED_RECIPIENTS ?? (loopback ? 0 : SETTINGS.LIMIT_UNVERIFIED_RECIPIENTS.outsideLoopback),
    },
    drainSeconds: values.DRAIN_SECONDS ?? (loopback ? 0 : SETTINGS.DRAIN_SECONDS.outsideLoopback),
    requestTimeoutSeconds: values.REQUEST_TIMEOUT_SECONDS,
    hashQueue: values.HASH_QUEUE,
    ldapAnswerSeconds: values.LDAP_ANSWER_SECONDS,
    metricsToken: values.METRICS_TOKEN,
    logRequests: values.LOG_REQUESTS,
    logClients: values.LOG_CLIENTS,
    logLevel: values.LOG_LEVEL,
  }
}

import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * The table of settings: name, default, meaning and parser. `--help` prints it and `readConfig` reads it. Only this folder reads
 * the environment.
 */
export type Parse<T> = (text: string) => T

export interface Setting<T> {
  /** The description in `--help`; `defaultText` is its column of defaults. */
  meaning: string
  defaultText: string
  parse: Parse<T>
  /** Whether `defaultText` is the default, written like a value; otherwise it describes what `config.ts` computes. */
  hasDefault: boolean
  /** Whether the value must not appear in error messages. */
  secret?: boolean
}

/** A setting whose default is always the same. */
const withDefault = <T>(defaultText: string, meaning: string, parse: Parse<T>) => ({
  meaning,
  defaultText,
  parse,
  hasDefault: true as const,
})

/** A setting without a default, or with one that depends on other settings. */
const setting = <T>(defaultText: string, meaning: string, parse: Parse<T>, secret = false) => ({
  meaning,
  defaultText,
  parse,
  hasDefault: false as const,
  secret,
})

const text: Parse<string> = (value) => value

/** Requires the length of a random secret. */
const longSecret: Parse<string> = (value) => {
  if (value.length < 32) throw new Error('must have at least 32 characters (generate it with: openssl rand -hex 32)')
  return value
}

const flag: Parse<boolean> = (value) => {
  if (/^(true|on|yes|1)$/i.test(value)) return true
  if (/^(false|off|no|0)$/i.test(value)) return false
  throw new Error('must be true or false')
}

const wholeNumber =
  (least: number, most: number): Parse<number> =>
  (value) => {
    const number = Number(value)
    if (!/^\d+$/.test(value) || number < least || number > most)
      throw new Error(`must be a whole number from ${least} to ${most}`)
    return number
  }

const oneOf =
  <T extends string>(...allowed: T[]): Parse<T> =>
  (value) => {
    if (!allowed.includes(value as T)) throw new Error(`must be one of ${allowed.join(', ')}`)
    return value as T
  }

/** An http(s) URL without query, fragment or credentials; trailing slashes are removed. */
const publicUrl: Parse<string> = (value) => {
  const url = URL.canParse(value) ? new URL(value) : undefined
  if (!url || !['http:', 'https:'].includes(url.protocol)) throw new Error('must be an http:// or https:// URL')
  if (url.search || url.hash || url.username || url.password)
    throw new Error('must have no query, no fragment and no credentials')
  return url.href.replace(/\/+$/, '')
}

const withScheme =
  (...schemes: string[]): Parse<string> =>
  (value) => {
    if (!URL.canParse(value) || !schemes.includes(new URL(value).protocol))
      throw new Error(`must be a URL that begins with ${schemes.map((scheme) => `${scheme}//`).join(' or ')}`)
    return value
  }

/** An email address, alone or as `Name <address>`. */
const mailSender: Parse<string> = (value) => {
  if (!/^[^<>\r\n]*<[^<>@\s]+@[^<>@\s]+>$|^[^<>@\s]+@[^<>@\s]+$/.test(value))
    throw new Error('must be an email address, or Name <address>')
  return value
}

/** One or more base64 keys of 32 bytes, separated by commas or, as in encryption.key, lines: the first encrypts, all decrypt. */
const encryptionKeys: Parse<Buffer[]> = (value) => {
  const keys = value
    .trim()
    .split(/[\s,]+/)
    .map((part) => Buffer.from(part, 'base64'))
  if (keys.some((key) => key.length !== 32))
    throw new Error('must be 32 bytes in base64 (generate with: openssl rand -base64 32), several separated by commas')
  return keys.filter((key, index) => keys.findIndex((other) => other.equals(key)) === index)
}

/** IP addresses with or without a port: 9.9.9.9, 127.0.0.1:5353, [::1]:53. */
const dnsServers: Parse<string[]> = (value) => {
  const servers = value.split(',').map((part) => part.trim())
  const isServer = (server: string) => {
    const [, host] = /^\[?([^\]]+?)\]?(?::\d{1,5})?$/.exec(server) ?? []
    return isIP(server) !== 0 || isIP(host ?? '') !== 0
  }
  if (!servers.every(isServer))
    throw new Error('must be IP addresses such as 9.9.9.9 or 127.0.0.1:5353, separated by commas')
  return servers
}

/** `off`, `true` (one proxy), a number of proxies, or a comma-separated list of IP addresses and CIDR ranges. */
const trustedProxies: Parse<boolean | number | string[]> = (value) => {
  if (/^(off|false|no)$/i.test(value)) return false
  if (/^(on|true|yes)$/i.test(value)) return 1
  if (/^\d{1,2}$/.test(value)) return Number(value)
  const addresses = value.split(',').map((part) => part.trim())
  const names = ['loopback', 'linklocal', 'uniquelocal']
  if (addresses.some((address) => !names.includes(address) && !isIP(address) && !ipaddr.isValidCIDR(address)))
    throw new Error(
      'must be off, a number of proxies, or a list of IP addresses and ranges such as 10.0.0.0/8,127.0.0.1',
    )
  return addresses
}

/** A number of attempts, requests or mails. */
const limit = (defaultText: string, meaning: string) =>
  withDefault(defaultText, `${meaning} (0 = off)`, wholeNumber(0, 1_000_000))

/** A limit that is off by default while BASE_URL is a loopback URL. */
const limitOutsideLoopback = (outsideLoopback: number, meaning: string) => ({
  ...setting(`${outsideLoopback}; 0 while BASE_URL is loopback`, `${meaning} (0 = off)`, wholeNumber(0, 1_000_000)),
  outsideLoopback,
})

export const SETTINGS = {
  PORT: withDefault('3000', 'Port to listen on', wholeNumber(1, 65_535)),
  HOST: withDefault(
    'localhost',
    'Address to listen on: localhost (both loopback families), 0.0.0.0, or one address',
    text,
  ),
  BASE_URL: setting(
    'http://localhost:$PORT',
    'Public URL; every link, issuer and metadata URL begins with it',
    publicUrl,
  ),
  FRONTEND_URL: setting('BASE_URL', 'URL of the pages; by default this process serves them', publicUrl),
  DATA_DIR: withDefault('./data', 'Embedded database, generated keys, mail outbox', text),
  DATABASE_URL: setting(
    'unset',
    'postgres:// URL of a PostgreSQL database; unset = the embedded database in DATA_DIR',
    withScheme('postgres:', 'postgresql:'),
    true,
  ),
  EMBEDDED_FSYNC: withDefault(
    'off',
    'Whether the embedded database acknowledges a write only when it has reached the disk, so that it survives a power failure',
    flag,
  ),
  ACCEPT_LOSS: withDefault(
    'false',
    'Start the embedded database even if acknowledged writes are lost. Unset it after one start',
    flag,
  ),
  DATABASE_POOL: withDefault('20', 'Connections of this node to PostgreSQL', wholeNumber(1, 500)),
  DATABASE_WAIT_SECONDS: withDefault('60', 'Seconds to wait for PostgreSQL at startup', wholeNumber(0, 3_600)),
  SMTP_URL: setting(
    'unset',
    'smtp:// or smtps:// URL of the mail server; unset = each mail is a file in DATA_DIR/outbox',
    withScheme('smtp:', 'smtps:'),
    true,
  ),
  SMTP_REQUIRE_TLS: setting(
    'true if SMTP_URL has a password and a host that is not loopback',
    'Whether the mail server must offer TLS (STARTTLS, or smtps://); otherwise neither the password nor a mail is sent',
    flag,
  ),
  MAIL_FROM: setting('Keyward <no-reply@(host of BASE_URL)>', 'Sender of every mail', mailSender),
  DNS_SERVERS: setting(
    'those of the system',
    'DNS servers for the verification of domains and for the hosts of outbound requests: IP addresses, separated by commas, with a port if it is not 53',
    dnsServers,
  ),
  API_TOKEN: setting(
    'unset',
    'Token that registers OAuth clients in any team (POST /oauth/register, x-api-token), in addition to the API tokens of teams',
    longSecret,
    true,
  ),
  SETUP_SECRET: setting('unset', 'If set, POST /onboard requires it in x-setup-secret', text, true),
  ENCRYPTION_KEY: setting(
    'generated into DATA_DIR',
    'Base64 key of 32 bytes that encrypts all secrets at rest. Of several, separated by commas, the first encrypts and all decrypt. To rotate, set `<old>,<new>` on every node, then `<new>,<old>` (see `keyward keys rotate`). Required with DATABASE_URL',
    encryptionKeys,
    true,
  ),
  TRUST_PROXY: withDefault(
    'off',
    'Proxies whose X-Forwarded-For is trusted: off, a number of proxies, or IP addresses and ranges',
    trustedProxies,
  ),
  GEOIP_DB: setting('the bundled database', 'Path of an MMDB database with the countries of IP addresses', text),
  COMMON_PASSWORDS: setting(
    'on, but off while BASE_URL is loopback',
    'on = reject the 1,000 most common passwords, off, or the path of a list (one per line)',
    text,
  ),
  ENFORCE_PASSWORD_CHANGE: withDefault(
    'false',
    'Whether a session with a temporary password can call only GET /api/v1/auth/me and POST /api/v1/auth/change-password, /api/v1/auth/refresh and /api/v1/auth/logout until the password is changed',
    flag,
  ),
  REQUIRE_INTROSPECTION_AUTH: withDefault(
    'false',
    'Whether introspection and revocation require client credentials; otherwise the token is enough',
    flag,
  ),
  ALLOW_PRIVATE_NETWORK: setting(
    'true while BASE_URL is loopback',
    'Whether outbound requests (such as those to identity providers, directories and applications) can reach private IP addresses',
    flag,
  ),
  MAX_MEMBERS: withDefault('10000', 'Maximum members of a new team', wholeNumber(1, 1_000_000_000)),
  MAX_APPLICATIONS: withDefault('1000', 'Maximum applications of a new team', wholeNumber(0, 1_000_000_000)),
  ORGANIZATION_LIMITS: withDefault(
    'team',
    "Administrators who can change a team's plan, status, maxMembers and maxApplications: team = team administrators, instance = instance administrators only",
    oneOf('team', 'instance'),
  ),
  SELF_SERVICE_TEAMS: withDefault(
    'on',
    'on = the sign-in of a user without access to any team creates a team for them, off = the sign-in fails with an error',
    flag,
  ),
  LIMIT_ACCOUNT_FAILURES: limit('10', 'Failed sign-ins of one account before it is locked'),
  LIMIT_ACCOUNT_MINUTES: withDefault(
    '15',
    'Length of the window for counting failures, and of a lockout, in minutes',
    wholeNumber(1, 1_440),
  ),
  LIMIT_SOURCE_FAILURES: limit(
    '600',
    'Failures of one kind from one source within 10 minutes, after which the source is limited to one attempt per second',
  ),
  LIMIT_REJECTED_BODIES: limit(
    '600',
    'Rejected request bodies from one source on one node within 10 minutes, after which the source is limited to one per second',
  ),
  LIMIT_REGISTRATIONS: limit('1000', 'Registrations of one source per hour'),
  LIMIT_TEAMS: limitOutsideLoopback(20, 'Team creations and slug changes per account and hour, combined'),
  LIMIT_TEAMS_OF_SOURCE: limitOutsideLoopback(200, 'Like LIMIT_TEAMS, for all accounts of one source'),
  LIMIT_LINKS: limit('1000', 'Mailed links that one source can request per hour'),
  LIMIT_DISCOVERIES: limit('6000', 'Lookups of the providers of a domain by one source per hour'),
  LIMIT_RSA_KEYS: limit('20', 'RSA keys that the administrators of one team can generate or rotate per hour'),
  LIMIT_MAILS: limit(
    '20',
    'Emails of one kind per recipient and hour, except emails sent on behalf of a team. Above the limit, a valid link is resent once per minute. Also requests of one account per hour to change its email address',
  ),
  LIMIT_TEAM_MAILS: limit(
    '5',
    'Emails of one kind per recipient and day sent on behalf of one team, or of one user in any of their teams',
  ),
  LIMIT_UNVERIFIED_RECIPIENTS: limitOutsideLoopback(
    10,
    'Recipients per day of emails that a user with an unverified email address sends on behalf of teams',
  ),
  REQUEST_TIMEOUT_SECONDS: withDefault('30', 'Seconds within which a request must be received', wholeNumber(1, 300)),
  DRAIN_SECONDS: {
    ...setting(
      '5; 0 while BASE_URL is loopback',
      'Seconds after SIGTERM in which requests are accepted while /readyz returns 503, so that a load balancer selects other nodes',
      wholeNumber(0, 300),
    ),
    outsideLoopback: 5,
  },
  HASH_QUEUE: withDefault(
    '200',
    'Password hashes that may wait on a node; further requests return 503',
    wholeNumber(1, 100_000),
  ),
  LDAP_ANSWER_SECONDS: withDefault(
    '30',
    'Seconds in which a directory must return each page of a sync; otherwise the sync fails',
    wholeNumber(1, 90),
  ),
  METRICS_TOKEN: setting('unset', 'If set, GET /metrics requires it as a bearer token', text, true),
  LOG_REQUESTS: withDefault(
    'all',
    'Requests that have a line in the log: all, errors (responses 4xx and 5xx) or off',
    oneOf('all', 'errors', 'off'),
  ),
  LOG_CLIENTS: withDefault(
    'plain',
    'IP address and user ID in request log lines: plain, hashed (with a key of the service) or off',
    oneOf('plain', 'hashed', 'off'),
  ),
  LOG_LEVEL: withDefault(
    'info',
    'fatal, error, warn, info, debug, trace or silent',
    oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
  ),
} as const

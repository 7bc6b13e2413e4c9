import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * The table of settings: name, default, meaning, and how a text becomes a value. `--help` prints it, `readConfig` reads it;
 * this folder is the only place that looks at the environment.
 */
export type Parse<T> = (text: string) => T

export interface Setting<T> {
  /** What `--help` says; `defaultText` stands in the column of defaults. */
  meaning: string
  defaultText: string
  parse: Parse<T>
  /** Whether `--help` and error messages may repeat the value. */
  secret?: boolean
}

const setting = <T>(defaultText: string, meaning: string, parse: Parse<T>, secret = false): Setting<T> => ({
  meaning,
  defaultText,
  parse,
  secret,
})

const text: Parse<string> = (value) => value

/** A secret that nobody can guess, if it was drawn and not thought of. */
const longSecret: Parse<string> = (value) => {
  if (value.length < 32) throw new Error('must have at least 32 characters (make one with: openssl rand -hex 32)')
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

/** An http(s) address without query, fragment or credentials; a closing slash is dropped. */
const publicUrl: Parse<string> = (value) => {
  const url = URL.canParse(value) ? new URL(value) : undefined
  if (!url || !['http:', 'https:'].includes(url.protocol)) throw new Error('must be an http:// or https:// address')
  if (url.search || url.hash || url.username || url.password)
    throw new Error('must have no query, no fragment and no credentials')
  return url.href.replace(/\/+$/, '')
}

const withScheme =
  (...schemes: string[]): Parse<string> =>
  (value) => {
    if (!URL.canParse(value) || !schemes.includes(new URL(value).protocol))
      throw new Error(`must be an address that begins with ${schemes.map((scheme) => `${scheme}//`).join(' or ')}`)
    return value
  }

/** An address, alone or as `Name <address>`. */
const mailSender: Parse<string> = (value) => {
  if (!/^[^<>\r\n]*<[^<>@\s]+@[^<>@\s]+>$|^[^<>@\s]+@[^<>@\s]+$/.test(value))
    throw new Error('must be an address, or Name <address>')
  return value
}

/** One or more base64 keys of 32 bytes, comma-separated: the first encrypts, all decrypt. */
const encryptionKeys: Parse<Buffer[]> = (value) => {
  const keys = value.split(',').map((part) => Buffer.from(part.trim(), 'base64'))
  if (keys.some((key) => key.length !== 32))
    throw new Error('must be 32 bytes in base64 (make one with: openssl rand -base64 32), several separated by commas')
  return keys
}

/** Addresses, with or without a port: 9.9.9.9, 127.0.0.1:5353, [::1]:53. */
const dnsServers: Parse<string[]> = (value) => {
  const servers = value.split(',').map((part) => part.trim())
  const isServer = (server: string) => {
    const [, host] = /^\[?([^\]]+?)\]?(?::\d{1,5})?$/.exec(server) ?? []
    return isIP(server) !== 0 || isIP(host ?? '') !== 0
  }
  if (!servers.every(isServer))
    throw new Error('must be addresses such as 9.9.9.9 or 127.0.0.1:5353, separated by commas')
  return servers
}

/** `off`, `true` (the one hop in front), a number of hops, or a comma-separated list of addresses and CIDR ranges. */
const trustedProxies: Parse<boolean | number | string[]> = (value) => {
  if (/^(off|false|no)$/i.test(value)) return false
  if (/^(on|true|yes)$/i.test(value)) return 1
  if (/^\d{1,2}$/.test(value)) return Number(value)
  const addresses = value.split(',').map((part) => part.trim())
  const names = ['loopback', 'linklocal', 'uniquelocal']
  if (addresses.some((address) => !names.includes(address) && !isIP(address) && !ipaddr.isValidCIDR(address)))
    throw new Error('must be off, a number of proxies, or a list of addresses and ranges such as 10.0.0.0/8,127.0.0.1')
  return addresses
}

export const SETTINGS = {
  PORT: setting('3000', 'Port to listen on', wholeNumber(1, 65_535)),
  HOST: setting('localhost', 'Address to listen on: localhost (both loopback families), 0.0.0.0, or one address', text),
  BASE_URL: setting(
    'http://localhost:$PORT',
    'Public address; every link, issuer and metadata URL begins with it',
    publicUrl,
  ),
  FRONTEND_URL: setting('BASE_URL', 'Where the pages live; by default this process serves them', publicUrl),
  DATA_DIR: setting('./data', 'Embedded database, generated keys, mail outbox', text),
  DATABASE_URL: setting(
    'unset',
    'postgres:// address of a PostgreSQL database; unset = the embedded database in DATA_DIR',
    withScheme('postgres:', 'postgresql:'),
    true,
  ),
  DATABASE_POOL: setting('20', 'Connections of this node to PostgreSQL', wholeNumber(1, 500)),
  SMTP_URL: setting(
    'unset',
    'smtp:// or smtps:// address of the mail server; unset = each mail is a file in DATA_DIR/outbox',
    withScheme('smtp:', 'smtps:'),
    true,
  ),
  MAIL_FROM: setting('Keyward <no-reply@(host of BASE_URL)>', 'Sender of every mail', mailSender),
  DNS_SERVERS: setting(
    'those of the system',
    'DNS servers by which domains of teams are proven and the hosts of requests of the service are found: addresses, with a port where it is not 53, separated by commas',
    dnsServers,
  ),
  API_TOKEN: setting(
    'unset',
    'A token that registers OAuth clients in any team (POST /oauth/register, x-api-token), beside those that a team makes',
    longSecret,
    true,
  ),
  SETUP_SECRET: setting('unset', 'When set, POST /onboard needs it in x-setup-secret', text, true),
  ENCRYPTION_KEY: setting(
    'generated into DATA_DIR',
    '32 bytes in base64 that wrap every secret at rest; new,old rotates; required with DATABASE_URL',
    encryptionKeys,
    true,
  ),
  TRUST_PROXY: setting(
    'off',
    'Whose X-Forwarded-For is believed: off, a number of hops, or addresses and ranges',
    trustedProxies,
  ),
  GEOIP_DB: setting(
    'the database shipped with Keyward',
    'Path of an MMDB database that knows the countries of addresses',
    text,
  ),
  COMMON_PASSWORDS: setting(
    'on, but off while BASE_URL is loopback',
    'on = refuse the 1,000 most common passwords, off, or the path of a list (one a line)',
    text,
  ),
  ENFORCE_PASSWORD_CHANGE: setting(
    'false',
    'Whether a temporary password closes every route but me, change-password, logout and refresh until it is changed',
    flag,
  ),
  REQUIRE_INTROSPECTION_AUTH: setting(
    'false',
    'Whether introspection and revocation demand client credentials; else having the token is enough',
    flag,
  ),
  ALLOW_PRIVATE_NETWORK: setting(
    'true while BASE_URL is loopback',
    'Whether requests of the service itself (back-channel logout, sign-in providers) may reach private addresses',
    flag,
  ),
  MAX_MEMBERS: setting('10000', 'Seats of a new team', wholeNumber(1, 1_000_000_000)),
  MAX_APPLICATIONS: setting('1000', 'Applications of a new team', wholeNumber(0, 1_000_000_000)),
  ORGANIZATION_LIMITS: setting(
    'team',
    "Who writes a team's plan, status, maxMembers and maxApplications: team = its administrators, instance = those of the instance",
    oneOf('team', 'instance'),
  ),
  SELF_SERVICE_TEAMS: setting(
    'on',
    'on = a user whom no other team lets in signs in to a team of their own, off = that sign-in fails with the reason',
    flag,
  ),
  LIMIT_ACCOUNT_FAILURES: setting(
    '10',
    'Failed sign-ins of one account before it is locked (0 = off)',
    wholeNumber(0, 1_000_000),
  ),
  LIMIT_ACCOUNT_MINUTES: setting(
    '15',
    'Minutes in which they count, and for which the account is locked',
    wholeNumber(1, 1_440),
  ),
  LIMIT_SOURCE_FAILURES: setting(
    '600',
    'Failures of one source in 10 minutes, of each kind, before it is slowed (0 = off)',
    wholeNumber(0, 1_000_000),
  ),
  LIMIT_REJECTED_BODIES: setting(
    '600',
    'Request bodies of one source in 10 minutes that a node rejects unread or as malformed, before the source is slowed (0 = off)',
    wholeNumber(0, 1_000_000),
  ),
  LIMIT_REGISTRATIONS: setting('1000', 'Registrations of one source in an hour (0 = off)', wholeNumber(0, 1_000_000)),
  LIMIT_TEAMS: setting(
    '20; 0 on loopback',
    'Teams that one account may create and slugs that it may choose for its teams in an hour, together (0 = off)',
    wholeNumber(0, 1_000_000),
  ),
  LIMIT_TEAMS_OF_SOURCE: setting(
    '200; 0 on loopback',
    'As LIMIT_TEAMS, of all accounts of one source (0 = off)',
    wholeNumber(0, 1_000_000),
  ),
  LIMIT_LINKS: setting(
    '1000',
    'Links by mail that one source may ask for in an hour (0 = off)',
    wholeNumber(0, 1_000_000),
  ),
  LIMIT_DISCOVERIES: setting(
    '6000',
    'Questions of one source in an hour for the providers of a domain (0 = off)',
    wholeNumber(0, 1_000_000),
  ),
  LIMIT_RSA_KEYS: setting(
    '20',
    'RSA keys that the administrators of one team may generate or rotate in an hour (0 = off)',
    wholeNumber(0, 1_000_000),
  ),
  LIMIT_MAILS: setting(
    '20',
    'Mails of one kind to one recipient in an hour, apart from those that a team causes; beyond it a valid link is sent again once a minute (0 = off)',
    wholeNumber(0, 1_000_000),
  ),
  LIMIT_TEAM_MAILS: setting(
    '5',
    'Mails of one kind that one team, or one user for any of their teams, causes to one recipient in a day (0 = off)',
    wholeNumber(0, 1_000_000),
  ),
  LIMIT_UNVERIFIED_RECIPIENTS: setting(
    '10; 0 on loopback',
    'Email addresses to which a user whose own address is not verified may cause mails for teams in a day (0 = off)',
    wholeNumber(0, 1_000_000),
  ),
  REQUEST_TIMEOUT_SECONDS: setting('30', 'Seconds within which a request must be received', wholeNumber(1, 300)),
  HASH_QUEUE: setting('200', 'Password hashes that may wait before sign-in answers 503', wholeNumber(1, 100_000)),
  LDAP_ANSWER_SECONDS: setting(
    '30',
    'Seconds that a directory may take for each page of a sync, before the sync ends as failed',
    wholeNumber(1, 90),
  ),
  METRICS_TOKEN: setting('unset', 'When set, GET /metrics needs it as a Bearer token', text, true),
  LOG_LEVEL: setting(
    'info',
    'fatal, error, warn, info, debug, trace or silent',
    oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
  ),
} as const

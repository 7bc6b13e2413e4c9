import Type from 'typebox'
import { MAX_CA_LENGTH } from '../../../platform/crypto/ca-certificates.js'
import { rejection } from '../../../platform/errors.js'
import { nullable, timestamp } from '../../../platform/http/schema-parts.js'
import { type Directory, SETTINGS } from '../model/directory.js'
import { PROFILE_FIELDS } from '../model/ldap-attributes.js'
import { GROUPS_PER_PAGE, MAX_PAGE_SIZE, USERS_PER_PAGE } from '../model/page-size.js'
import type { RequestedSettings } from './resolve-settings.js'

/** The placeholder of the bind password in responses; in a request it leaves the password unchanged. */
export const MASK = '********'

const Mapping = (options: object = {}) =>
  Type.Unsafe<Record<string, string>>({
    type: 'object',
    additionalProperties: { type: 'string', maxLength: 100 },
    ...options,
  })

const Preset = Type.Unsafe<'active-directory' | 'openldap'>({
  type: 'string',
  enum: ['active-directory', 'openldap'],
  description: 'Selects the default filters; default active-directory',
})

/** The fields with two names. */
const NAMES = {
  url: ['ldapUrl', 'url'],
  baseDn: ['ldapBaseDn', 'baseDn'],
  bindDn: ['ldapBindDn', 'bindDn'],
  bindPassword: ['ldapBindPassword', 'bindPassword'],
  userFilter: ['ldapUserFilter', 'userFilter'],
  groupFilter: ['ldapGroupFilter', 'groupFilter'],
} as const

/** Declares an optional string of a request under both of its names. */
const either = <const Long extends string, const Short extends string>(
  [long, short]: readonly [Long, Short],
  maxLength: number,
  description: string,
  options: { minLength?: number } = {},
) =>
  ({
    [long]: Type.Optional(Type.String({ ...options, maxLength, description })),
    [short]: Type.Optional(Type.String({ ...options, maxLength, description: `The same as ${long}` })),
  }) as Record<Long | Short, Type.TOptional<Type.TString>>

export const SaveDirectory = Type.Object({
  enabled: Type.Optional(Type.Boolean({ description: 'Default true' })),
  ...either(NAMES.url, 500, 'ldaps://host[:port] or ldap://host[:port]. Required on creation'),
  ...either(NAMES.baseDn, 1_000, 'The search base for users and groups. Required on creation'),
  ...either(NAMES.bindDn, 1_000, 'The account that reads the directory. Required on creation'),
  ...either(
    NAMES.bindPassword,
    1_000,
    `Required on creation and when the URL, bind DN, StartTLS setting or CA certificate changes. ${MASK} leaves it unchanged`,
    { minLength: 1 },
  ),
  ...either(
    NAMES.userFilter,
    2_000,
    'RFC 4515 filter; the preset defines the default, e.g. (&(objectClass=user)(!(isCriticalSystemObject=TRUE)))',
  ),
  ...either(
    NAMES.groupFilter,
    2_000,
    'RFC 4515 filter; the preset defines the default, e.g. (&(objectClass=group)(!(isCriticalSystemObject=TRUE)))',
  ),
  preset: Type.Optional(Preset),
  startTls: Type.Optional(
    Type.Boolean({ description: 'Upgrade an ldap:// connection to TLS before any other operation' }),
  ),
  caCertificate: Type.Optional(
    Type.Union([Type.String({ maxLength: MAX_CA_LENGTH }), Type.Null()], {
      description: "CA certificates (PEM) that may have issued the server's certificate; null for those of the system",
    }),
  ),
  attributeMapping: Type.Optional(
    Mapping({
      maxProperties: 50,
      propertyNames: { maxLength: 100 },
      description: `Maps directory attributes to fields: ${PROFILE_FIELDS.join(', ')}. Takes precedence over the default attributes`,
    }),
  ),
  pageSize: Type.Optional(
    Type.Union([Type.Integer({ minimum: 1, maximum: MAX_PAGE_SIZE }), Type.Null()], {
      description: `The number of entries that the server returns at a time, from 1 to ${MAX_PAGE_SIZE}; null for the default, which is ${USERS_PER_PAGE} users and ${GROUPS_PER_PAGE} groups. If the server rejects a page size, smaller ones are used`,
    }),
  ),
  scheduleMinutes: Type.Optional(
    Type.Integer({
      minimum: 0,
      description: 'Minutes between two syncs, from 5 to 10080; 0 for manual syncs only. Default 0',
    }),
  ),
  signInEnabled: Type.Optional(
    Type.Boolean({ description: 'Users of the directory can sign in to this team with their directory password' }),
  ),
})

/**
 * Returns the settings that a body requests, under either name of a field. The masked password counts as not given.
 * @throws invalid_request if two names of one field have different values
 */
export function requestedSettings(body: Type.Static<typeof SaveDirectory>): RequestedSettings {
  const requested: Record<string, unknown> = {}
  for (const [long, short] of Object.values(NAMES)) {
    const [a, b] = [body[long], body[short]]
    if (a !== undefined && b !== undefined && a !== b)
      throw rejection('invalid_request', {
        detail: `${long} and ${short} are the same field and must not differ`,
        errors: [{ path: `/${short}`, message: `must be the same as ${long}` }],
      })
    const value = a ?? b
    if (value !== undefined && !(short === 'bindPassword' && value === MASK)) requested[short] = value
  }
  for (const field of SETTINGS) if (body[field] !== undefined) requested[field] ??= body[field]
  return requested
}

/** Declares a string of a response under both of its names. */
const both = ([long, short]: readonly [string, string], options: { description?: string } = {}) => ({
  [long]: Type.String(options),
  [short]: Type.String(options),
})

export const DirectoryBody = Type.Object(
  {
    id: Type.String(),
    teamId: Type.String(),
    type: Type.String({ description: 'Always LDAP' }),
    enabled: Type.Boolean(),
    ...both(NAMES.url),
    ...both(NAMES.baseDn),
    ...both(NAMES.bindDn),
    ...both(NAMES.bindPassword, { description: `Always ${MASK}` }),
    ...both(NAMES.userFilter),
    ...both(NAMES.groupFilter),
    preset: Type.String(),
    startTls: Type.Boolean(),
    caCertificate: nullable(Type.String()),
    attributeMapping: Mapping(),
    pageSize: nullable(Type.Integer()),
    scheduleMinutes: Type.Integer(),
    signInEnabled: Type.Boolean(),
    lastSyncAt: nullable(timestamp()),
    nextSyncAt: nullable(timestamp('The next scheduled sync')),
    createdAt: timestamp(),
    updatedAt: timestamp(),
  },
  { $id: 'LdapDirectory' },
)

export function presentDirectory(directory: Directory) {
  const shown = { ...directory, bindPassword: MASK }
  return {
    id: directory.id,
    teamId: directory.organizationId,
    type: 'LDAP',
    ...Object.fromEntries(SETTINGS.map((field) => [field, shown[field]])),
    bindPassword: MASK,
    ...Object.fromEntries(Object.values(NAMES).map(([long, short]) => [long, shown[short]])),
    lastSyncAt: directory.lastSyncAt?.toISOString() ?? null,
    nextSyncAt: directory.nextSyncAt?.toISOString() ?? null,
    createdAt: directory.createdAt.toISOString(),
    updatedAt: directory.updatedAt.toISOString(),
  }
}

export const DirectoryTestBody = Type.Object({
  success: Type.Boolean(),
  message: Type.String(),
  checks: Type.Array(
    Type.Object({
      id: Type.String({ description: 'resolve, connect, tls, bind, base, users, groups or search' }),
      status: Type.String({ description: 'ok, warning, failed or skipped' }),
      detail: Type.String(),
      fix: Type.Optional(Type.String()),
    }),
  ),
  users: nullable(Type.Integer({ description: 'The number of matches of the filter, counted up to 10,000' })),
  groups: nullable(Type.Integer()),
  samples: Type.Array(
    Type.Object({
      dn: Type.String(),
      email: nullable(Type.String()),
      profile: Type.Unsafe<Record<string, string>>({ type: 'object', additionalProperties: { type: 'string' } }),
      active: Type.Boolean(),
      problem: nullable(Type.String()),
    }),
    { description: 'Up to five users as they would be imported' },
  ),
})

export type DirectoryTest = Type.Static<typeof DirectoryTestBody>

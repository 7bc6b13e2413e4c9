import Type from 'typebox'
import { rejection } from '../../platform/errors.js'
import type { Directory } from './directory.js'
import { PROFILE_FIELDS } from './presets.js'
import type { WantedDirectory } from './settle-directory.js'

const nullable = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()])
const optionalText = (maxLength: number, description?: string) =>
  Type.Optional(Type.String({ maxLength, ...(description !== undefined && { description }) }))

/** What stands for the bind password wherever it is read; sent back, it changes nothing. */
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
  description: 'Which filters hold where none are written; default active-directory',
})

export const SaveDirectory = Type.Object({
  enabled: Type.Optional(Type.Boolean({ description: 'Default true' })),
  ldapUrl: optionalText(500, 'ldaps://host[:port] or ldap://host[:port]. Required for the first time'),
  url: optionalText(500, 'The same as ldapUrl'),
  ldapBaseDn: optionalText(1_000, 'Below which users and groups are looked for. Required for the first time'),
  baseDn: optionalText(1_000, 'The same as ldapBaseDn'),
  ldapBindDn: optionalText(1_000, 'As whom the directory is read. Required for the first time'),
  bindDn: optionalText(1_000, 'The same as ldapBindDn'),
  ldapBindPassword: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 1_000,
      description: `Required for the first time, and with another address, bind DN, StartTLS or certificate. ${MASK} leaves it as it is`,
    }),
  ),
  bindPassword: Type.Optional(
    Type.String({ minLength: 1, maxLength: 1_000, description: 'The same as ldapBindPassword' }),
  ),
  ldapUserFilter: optionalText(2_000, 'RFC 4515; default that of the preset: (objectClass=user)'),
  userFilter: optionalText(2_000, 'The same as ldapUserFilter'),
  ldapGroupFilter: optionalText(2_000, 'RFC 4515; default that of the preset: (objectClass=group)'),
  groupFilter: optionalText(2_000, 'The same as ldapGroupFilter'),
  preset: Type.Optional(Preset),
  startTls: Type.Optional(
    Type.Boolean({ description: 'Begin TLS on an ldap:// connection, before anything else is said' }),
  ),
  caCertificate: Type.Optional(
    Type.Union([Type.String({ maxLength: 49_152 }), Type.Null()], {
      description: 'PEM of whoever may have issued the certificate of the server; null: the authorities of the system',
    }),
  ),
  attributeMapping: Type.Optional(
    Mapping({
      maxProperties: 50,
      propertyNames: { maxLength: 100 },
      description: `Attribute of the directory → field: ${PROFILE_FIELDS.join(', ')}. It comes before the usual attributes, which fill the rest`,
    }),
  ),
  scheduleMinutes: Type.Optional(
    Type.Integer({
      minimum: 0,
      description: 'Minutes between two syncs, from 5 to 10080; 0: only when somebody asks. Default 0',
    }),
  ),
  signInEnabled: Type.Optional(
    Type.Boolean({ description: 'People of the directory sign in to this team by the password that they have there' }),
  ),
})

const PAIRS = [
  ['ldapUrl', 'url'],
  ['ldapBaseDn', 'baseDn'],
  ['ldapBindDn', 'bindDn'],
  ['ldapBindPassword', 'bindPassword'],
  ['ldapUserFilter', 'userFilter'],
  ['ldapGroupFilter', 'groupFilter'],
] as const

const OTHERS = [
  'enabled',
  'preset',
  'startTls',
  'caCertificate',
  'attributeMapping',
  'scheduleMinutes',
  'signInEnabled',
] as const

/** What a body wants, whichever spelling of a field it has; the mask of the password wants nothing. @throws invalid_request for two that differ */
export function wantedDirectory(body: Type.Static<typeof SaveDirectory>): WantedDirectory {
  const wanted: Record<string, unknown> = {}
  for (const [long, short] of PAIRS) {
    const [a, b] = [body[long], body[short]]
    if (a !== undefined && b !== undefined && a !== b)
      throw rejection('invalid_request', {
        detail: `${long} and ${short} are one field, and differ`,
        errors: [{ path: `/${short}`, message: `must be the same as ${long}` }],
      })
    const value = a ?? b
    if (value !== undefined && !(short === 'bindPassword' && value === MASK)) wanted[short] = value
  }
  for (const field of OTHERS) if (body[field] !== undefined) wanted[field] = body[field]
  return wanted
}

const timestamp = Type.String({ format: 'date-time' })

export const DirectoryBody = Type.Object(
  {
    id: Type.String(),
    teamId: Type.String(),
    type: Type.String({ description: 'Always LDAP' }),
    enabled: Type.Boolean(),
    ldapUrl: Type.String(),
    url: Type.String(),
    ldapBaseDn: Type.String(),
    baseDn: Type.String(),
    ldapBindDn: Type.String(),
    bindDn: Type.String(),
    ldapBindPassword: Type.String({ description: `Always ${MASK}` }),
    bindPassword: Type.String({ description: `Always ${MASK}` }),
    ldapUserFilter: Type.String(),
    userFilter: Type.String(),
    ldapGroupFilter: Type.String(),
    groupFilter: Type.String(),
    preset: Type.String(),
    startTls: Type.Boolean(),
    caCertificate: nullable(Type.String()),
    attributeMapping: Mapping(),
    scheduleMinutes: Type.Integer(),
    signInEnabled: Type.Boolean(),
    lastSyncAt: nullable(timestamp),
    nextSyncAt: nullable(Type.String({ format: 'date-time', description: 'By the schedule' })),
    createdAt: timestamp,
    updatedAt: timestamp,
  },
  { $id: 'LdapDirectory' },
)

export const presentDirectory = (directory: Directory) => ({
  id: directory.id,
  teamId: directory.organizationId,
  type: 'LDAP',
  enabled: directory.enabled,
  ldapUrl: directory.url,
  url: directory.url,
  ldapBaseDn: directory.baseDn,
  baseDn: directory.baseDn,
  ldapBindDn: directory.bindDn,
  bindDn: directory.bindDn,
  ldapBindPassword: MASK,
  bindPassword: MASK,
  ldapUserFilter: directory.userFilter,
  userFilter: directory.userFilter,
  ldapGroupFilter: directory.groupFilter,
  groupFilter: directory.groupFilter,
  preset: directory.preset,
  startTls: directory.startTls,
  caCertificate: directory.caCertificate,
  attributeMapping: directory.attributeMapping,
  scheduleMinutes: directory.scheduleMinutes,
  signInEnabled: directory.signInEnabled,
  lastSyncAt: directory.lastSyncAt?.toISOString() ?? null,
  nextSyncAt: directory.nextSyncAt?.toISOString() ?? null,
  createdAt: directory.createdAt.toISOString(),
  updatedAt: directory.updatedAt.toISOString(),
})

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
  users: nullable(Type.Integer({ description: 'How many the filter finds, counted up to 10,000' })),
  groups: nullable(Type.Integer()),
  samples: Type.Array(
    Type.Object({
      dn: Type.String(),
      email: nullable(Type.String()),
      profile: Type.Unsafe<Record<string, string>>({ type: 'object', additionalProperties: { type: 'string' } }),
      active: Type.Boolean(),
      problem: nullable(Type.String()),
    }),
    { description: 'Five people as they would be imported' },
  ),
})

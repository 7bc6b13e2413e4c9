import { createHash } from 'node:crypto'
import type { ApplicationId, ScopeId } from '../../../platform/ids.js'

/** The scopes that every application has, and whether each is a default scope. */
export const STANDARD_SCOPES = [
  { name: 'openid', isDefault: true },
  { name: 'profile', isDefault: true },
  { name: 'email', isDefault: false },
  { name: 'offline_access', isDefault: false },
] as const

export const isStandardScope = (name: string): boolean => STANDARD_SCOPES.some((scope) => scope.name === name)

/** Returns the ID of a standard scope, derived from its name because it has no row until it is changed (UUID version 8, RFC 9562 5.8). */
export function standardScopeId(application: ApplicationId, name: string): ScopeId {
  const digest = createHash('sha256').update(`scope:${application}:${name}`).digest()
  digest[6] = ((digest[6] ?? 0) & 0x0f) | 0x80
  digest[8] = ((digest[8] ?? 0) & 0x3f) | 0x80
  const hex = digest.toString('hex')
  return [
    [0, 8],
    [8, 12],
    [12, 16],
    [16, 20],
    [20, 32],
  ]
    .map(([from, to]) => hex.slice(from, to))
    .join('-') as ScopeId
}

const NAMES = STANDARD_SCOPES.map(({ name }) => `'${name}'`).join(', ')

/**
 * SQL: the scopes that an application may request: those of its registration and its custom scopes.
 * @param a alias of `applications`
 */
export const allowedScopes = (a: string): string =>
  `(${a}.scopes || ARRAY(SELECT os.name FROM oidc_scopes os WHERE os.application_id = ${a}.id AND os.name NOT IN (${NAMES})
    AND NOT os.name = ANY(${a}.scopes) ORDER BY os.created_at, os.id))`

/**
 * SQL: the scopes with the descriptions that the team has set, `[{name, description}]` in the order of `names`. Without one it is null.
 * @param application SQL expression: the application's ID
 * @param names SQL expression: the names of the scopes, `text[]`
 */
export const describedScopes = (application: string, names: string): string =>
  `(SELECT coalesce(jsonb_agg(jsonb_build_object('name', ns.name, 'description', ds.description) ORDER BY ns.position), '[]')
    FROM unnest(${names}) WITH ORDINALITY AS ns(name, position)
    LEFT JOIN oidc_scopes ds ON ds.application_id = ${application} AND ds.name = ns.name)`

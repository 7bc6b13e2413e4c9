import { createHash } from 'node:crypto'
import type { ApplicationId, ScopeId } from '../../../platform/ids.js'

/** The scopes that every application has from the start, and whether each is given where none is asked for. */
export const STANDARD_SCOPES = [
  { name: 'openid', isDefault: true },
  { name: 'profile', isDefault: true },
  { name: 'email', isDefault: false },
  { name: 'offline_access', isDefault: false },
] as const

export const isStandardScope = (name: string): boolean => STANDARD_SCOPES.some((scope) => scope.name === name)

/** A standard scope has no row until somebody changes it; its id is the same before and after (UUID version 8, RFC 9562 5.8). */
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
 * What an application may ask for, as a SQL expression: the scopes that it is registered with, and every scope of its own.
 * @param a the alias of `applications`
 */
export const allowedScopes = (a: string): string =>
  `(${a}.scopes || ARRAY(SELECT os.name FROM oidc_scopes os WHERE os.application_id = ${a}.id AND os.name NOT IN (${NAMES})
    AND NOT os.name = ANY(${a}.scopes) ORDER BY os.created_at, os.id))`

/** The scopes that every application has from the start, and whether each is given where none is asked for. */
export const STANDARD_SCOPES = [
  { name: 'openid', isDefault: true },
  { name: 'profile', isDefault: true },
  { name: 'email', isDefault: false },
  { name: 'offline_access', isDefault: false },
] as const

export const isStandardScope = (name: string): boolean => STANDARD_SCOPES.some((scope) => scope.name === name)

const NAMES = STANDARD_SCOPES.map(({ name }) => `'${name}'`).join(', ')

/**
 * What an application may ask for, as a SQL expression: the scopes that it is registered with, and every scope of its own.
 * @param a the alias of `applications`
 */
export const allowedScopes = (a: string): string =>
  `(${a}.scopes || ARRAY(SELECT os.name FROM oidc_scopes os WHERE os.application_id = ${a}.id AND os.name NOT IN (${NAMES})
    AND NOT os.name = ANY(${a}.scopes) ORDER BY os.created_at, os.id))`

import type { Client } from './client.js'

/** What a person stands behind: it means nothing where an application asks for itself. */
export const USER_SCOPES: readonly string[] = ['openid', 'profile', 'email', 'offline_access']

/** The scopes that the application gets where it asks for none (RFC 6749 3.3). */
export const defaultScopes = ({ config, scopes }: Client, forUser: boolean): string[] =>
  config.scopes
    .filter(({ name, isDefault }) => isDefault && scopes.includes(name) && (forUser || !USER_SCOPES.includes(name)))
    .map(({ name }) => name)

/** Completes a request for an application's own token that names no scope. */
export function addDefaultScope(form: URLSearchParams, client: Client): void {
  if (form.get('grant_type') !== 'client_credentials' || form.get('scope')) return
  const scopes = defaultScopes(client, false)
  if (scopes.length > 0) form.set('scope', scopes.join(' '))
}

import type { Client } from './client.js'

/** Scopes about a user: ignored in the client_credentials grant. */
export const USER_SCOPES: readonly string[] = ['openid', 'profile', 'email', 'offline_access']

/** Returns the scopes of a request that names none (RFC 6749 3.3). */
export const defaultScopes = ({ config, scopes }: Client, forUser: boolean): string[] =>
  config.scopes
    .filter(({ name, isDefault }) => isDefault && scopes.includes(name) && (forUser || !USER_SCOPES.includes(name)))
    .map(({ name }) => name)

/** Adds the default scopes to a client_credentials request that names none. */
export function addDefaultScope(form: URLSearchParams, client: Client): void {
  if (form.get('grant_type') !== 'client_credentials' || form.get('scope')) return
  const scopes = defaultScopes(client, false)
  if (scopes.length > 0) form.set('scope', scopes.join(' '))
}

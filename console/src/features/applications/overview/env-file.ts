import type { Application } from '../../../api/contract'
import { type Issuer, issuerOf } from '../../../api/issuer'
import { serviceAddress } from '../../../api/service-address'
import { isForPeople, REDIRECT_EXAMPLES } from '../application-kind'
import { tryCallbackUrl } from '../try-it/authorize-request'

/** The values that an application is configured with. The snippets read them from the environment. */
export interface ClientSettings {
  issuer: Issuer
  clientId: string
  /** null for a public client; a placeholder if the secret is not known */
  clientSecret: string | null
  /** null if users don't sign in */
  redirectUri: string | null
  scopes: string[]
}

/** @param secret a new secret; without it, the settings contain a placeholder */
export function clientSettings(application: Application, secret: string | null = null): ClientSettings {
  const { clientId, redirectUris, scopes, isPublicClient } = application
  const forPeople = isForPeople(application)
  // The callback URL of the try-it page is temporary, and the application does not listen on it.
  const own = redirectUris.find((uri) => uri !== tryCallbackUrl())
  return {
    issuer: issuerOf(application, serviceAddress()),
    clientId,
    clientSecret: isPublicClient ? null : (secret ?? 'paste-the-secret-here'),
    redirectUri: forPeople ? (own ?? REDIRECT_EXAMPLES.web) : null,
    scopes: forPeople ? scopes : [],
  }
}

/** Quotes the value unless shells, libraries and container runtimes read it the same way without quotes. */
function line(name: string, value: string): string {
  return `${name}=${/^[\w:/.?=%~+-]*$/.test(value) ? value : `'${value.replaceAll("'", "'\\''")}'`}`
}

export function envText({ issuer, clientId, clientSecret, redirectUri, scopes }: ClientSettings): string {
  const lines = [line('OIDC_ISSUER', issuer), line('OIDC_CLIENT_ID', clientId)]
  if (clientSecret) lines.push(line('OIDC_CLIENT_SECRET', clientSecret))
  if (redirectUri) lines.push(line('OIDC_REDIRECT_URI', redirectUri))
  if (scopes.length > 0) lines.push(line('OIDC_SCOPES', scopes.join(' ')))
  return `${lines.join('\n')}\n`
}

/** Returns a file name that is valid on every system, such as `my-shop.env`. */
export function envFileName(application: { name: string }): string {
  const plain = application.name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
  return `${plain || 'application'}.env`
}

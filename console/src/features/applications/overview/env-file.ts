import type { Application } from '../../../api/contract'
import { type Issuer, issuerOf } from '../../../api/issuer'
import { serviceAddress } from '../../../api/service-address'
import { applicationWords } from '../../../words'
import { isForPeople } from '../application-kind'
import { tryAddress } from '../try-it/authorize-request'

/** The values that an application is configured with, under the names that the snippets read. */
export interface ClientSettings {
  issuer: Issuer
  clientId: string
  /** null for a public client; a placeholder where it is not known (any more) */
  clientSecret: string | null
  /** null where nobody signs in */
  redirectUri: string | null
  scopes: string[]
}

/** @param secret as it was just shown; else a placeholder stands for it */
export function clientSettings(application: Application, secret: string | null = null): ClientSettings {
  const { clientId, redirectUris, scopes, isPublicClient } = application
  const forPeople = isForPeople(application)
  // Ours is there for a while, and is not where the application listens.
  const own = redirectUris.find((uri) => uri !== tryAddress())
  return {
    issuer: issuerOf(application, serviceAddress()),
    clientId,
    clientSecret: isPublicClient ? null : (secret ?? applicationWords.envPlaceholder),
    redirectUri: forPeople ? (own ?? applicationWords.kinds.web.example) : null,
    scopes: forPeople ? scopes : [],
  }
}

/** Bare where a shell, a library and a container runtime all read it alike; else in quotes between which a shell reads nothing. */
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

/** A name that every system takes: `my-shop.env`. */
export function envFileName(application: { name: string }): string {
  const plain = application.name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
  return `${plain || 'application'}.env`
}

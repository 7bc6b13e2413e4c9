import { type ApplicationId, parseId, type TeamId } from '../../../platform/ids.js'
import type { IssuerKeys } from '../../oidc-config/index.js'

/**
 * The path of an issuer in one of three forms: all clients of a team (`{team}`), or one application (`{application}` and
 * `{team}/{application}`). Only the database knows whether a single ID is that of a team or an application.
 */
export interface IssuerPath {
  /** The path after `ISSUER_BASE` in canonical form: one ID or two. */
  path: string
  /** The IDs of the first segment and, if present, the second. */
  first: string
  second: ApplicationId | null
}

/** An existing issuer with its signing keys. */
export interface Issuer {
  path: string
  /** The issuer identifier. */
  url: string
  team: { id: TeamId; name: string; slug: string; active: boolean }
  /** Null for the issuer of a team. */
  applicationId: ApplicationId | null
  keyVersion: number
  keys: IssuerKeys
  /** Returns the keys of another form of the same issuer. */
  keysFor(application: ApplicationId | null): IssuerKeys
}

export const ISSUER_BASE = '/api/v1/sso/oidc-idp'

/** Returns the issuer that the path parameters name; undefined for malformed IDs. */
export function issuerPathOf({
  issuer,
  application,
}: {
  issuer: string
  application?: string | undefined
}): IssuerPath | undefined {
  const first = parseId<TeamId>(issuer)
  const second = application === undefined ? null : parseId<ApplicationId>(application)
  if (!first || second === undefined) return undefined
  // `iss` must equal the requested URL byte for byte, so another spelling of the same ID is not an issuer.
  if (first !== issuer || (second ?? undefined) !== application) return undefined
  return { path: second ? `${first}/${second}` : first, first, second }
}

/** Parses a path such as `{team}/{application}`; returns undefined if it is malformed. */
export function parseIssuerPath(path: string): IssuerPath | undefined {
  const [issuer = '', application, ...rest] = path.split('/')
  return rest.length > 0 ? undefined : issuerPathOf({ issuer, ...(application !== undefined && { application }) })
}

/** Returns the issuer identifier (OpenID Connect Core 1.2), built from the configured base URL. */
export const issuerUrl = (baseUrl: string, path: string): string => `${baseUrl}${ISSUER_BASE}/${path}`

/** Returns the issuer that an `iss` claim names; undefined if it is not an issuer of this service. */
export function issuerPathIn(baseUrl: string, iss: unknown): IssuerPath | undefined {
  const prefix = issuerUrl(baseUrl, '')
  return typeof iss === 'string' && iss.startsWith(prefix) ? parseIssuerPath(iss.slice(prefix.length)) : undefined
}

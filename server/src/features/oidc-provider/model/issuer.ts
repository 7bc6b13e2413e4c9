import { type ApplicationId, parseId, type TeamId } from '../../../platform/ids.js'
import type { IssuerKeys } from '../../oidc-config/index.js'

/**
 * The path of an issuer: `{team}` for all applications of a team, `{application}` or `{team}/{application}` for one application. Only a
 * database query can decide whether a single ID is that of a team or an application.
 */
export interface IssuerPath {
  /** The path after `ISSUER_BASE`: one or two IDs in canonical form. */
  path: string
  /** The ID of a team or an application. */
  first: string
  second: ApplicationId | null
}

/** An existing issuer with its signing keys. */
export interface Issuer {
  path: string
  /** The issuer identifier. */
  url: string
  team: { id: TeamId; name: string; slug: string; isActive: boolean }
  /** Null for the issuer of a team. */
  applicationId: ApplicationId | null
  keyVersion: number
  keys: IssuerKeys
  /** Returns the signing keys for the issuer of this application, or of the team if it is null. */
  keysFor(application: ApplicationId | null): IssuerKeys
}

export const ISSUER_BASE = '/api/v1/sso/oidc-idp'

/** Returns the issuer path of the route parameters; undefined for malformed IDs. */
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
  // `iss` must equal the requested URL byte for byte, so an ID in another format (such as upper case) is rejected.
  if (first !== issuer || (second ?? undefined) !== application) return undefined
  return { path: second ? `${first}/${second}` : first, first, second }
}

/** Returns whether an issuer is that of the team or one of the application (`{application}`, `{team}/{application}`). */
export const isIssuerOf = ({ first, second }: IssuerPath, team: TeamId, application: ApplicationId): boolean =>
  second === null ? first === team || first === application : first === team && second === application

/** Parses a path such as `{team}/{application}`; returns undefined if it is malformed. */
export function parseIssuerPath(path: string): IssuerPath | undefined {
  const [issuer = '', application, ...rest] = path.split('/')
  return rest.length > 0 ? undefined : issuerPathOf({ issuer, ...(application !== undefined && { application }) })
}

/** Returns the issuer identifier (OpenID Connect Core 1.2), built from the configured base URL. */
export const issuerUrl = (baseUrl: string, path: string): string => `${baseUrl}${ISSUER_BASE}/${path}`

/** Returns the issuer path of an `iss` claim; undefined if it is not an issuer of this service. */
export function issuerPathIn(baseUrl: string, iss: unknown): IssuerPath | undefined {
  const prefix = issuerUrl(baseUrl, '')
  return typeof iss === 'string' && iss.startsWith(prefix) ? parseIssuerPath(iss.slice(prefix.length)) : undefined
}

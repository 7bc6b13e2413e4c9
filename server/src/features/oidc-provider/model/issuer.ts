import { type ApplicationId, parseId, type TeamId } from '../../../platform/ids.js'
import type { IssuerKeys } from '../../oidc-config/index.js'

/**
 * The three forms of an issuer: all clients of a team (`{team}`), or one application (`{application}` and
 * `{team}/{application}`). Whether a single id is a team's or an application's only the database knows.
 */
export interface IssuerPath {
  /** As it stands behind the base of all issuers, in canonical form: one id or two. */
  path: string
  /** The id of the first segment, and of the second where there is one. */
  first: string
  second: ApplicationId | null
}

/** An issuer that exists, with the keys that it signs with. */
export interface Issuer {
  path: string
  /** Its identifier. */
  url: string
  team: { id: TeamId; name: string; slug: string; active: boolean }
  /** Null for the issuer of a whole team. */
  applicationId: ApplicationId | null
  keyVersion: number
  keys: IssuerKeys
  /** The keys of another form of the same issuer. */
  keysFor(application: ApplicationId | null): IssuerKeys
}

export const ISSUER_BASE = '/api/v1/sso/oidc-idp'

/** The issuer that path parameters name; undefined for texts that are no ids, which no issuer has. */
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
  // `issuer` is the address that it was asked under, byte for byte: another spelling is another address, and nobody's.
  if (first !== issuer || (second ?? undefined) !== application) return undefined
  return { path: second ? `${first}/${second}` : first, first, second }
}

/** The issuer of a path such as `{team}/{application}`; undefined for any other text. */
export function parseIssuerPath(path: string): IssuerPath | undefined {
  const [issuer = '', application, ...rest] = path.split('/')
  return rest.length > 0 ? undefined : issuerPathOf({ issuer, ...(application !== undefined && { application }) })
}

/** The issuer identifier (OpenID Connect Core 1.2): always built from the configured address. */
export const issuerUrl = (baseUrl: string, path: string): string => `${baseUrl}${ISSUER_BASE}/${path}`

/** The issuer that an `iss` names; undefined when it is not one of ours. */
export function issuerPathIn(baseUrl: string, iss: unknown): IssuerPath | undefined {
  const prefix = issuerUrl(baseUrl, '')
  return typeof iss === 'string' && iss.startsWith(prefix) ? parseIssuerPath(iss.slice(prefix.length)) : undefined
}

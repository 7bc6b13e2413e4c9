import { SECOND } from '../../../platform/clock.js'
import type { ApplicationId, TeamId } from '../../../platform/ids.js'
import { type CompactJwt, isSignedByJwks } from '../../../protocols/jws/index.js'
import { ASSERTION_ALGORITHMS } from '../discovery/discovery.js'
import { issuerUrl } from '../model/issuer.js'
import { LIFETIMES } from '../model/lifetimes.js'
import { proofId } from '../model/used-proofs.js'

export const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

/** The expected client, keys and audiences of an assertion. */
export interface AssertionExpectations {
  clientId: string
  keys: readonly Record<string, unknown>[]
  audiences: readonly string[]
  /** Seconds. */
  now: number
}

/** A valid assertion. Its ID must be used only once. */
export interface VerifiedAssertion {
  id: string
  /** Expiry including the accepted clock difference. */
  until: Date
}

/** The error of an assertion. */
export interface AssertionViolation {
  reason: string
  /** Whether a registered key signed the assertion. Only the holder of the key may learn the reason. */
  isSigned: boolean
}

/**
 * Verifies a client assertion (RFC 7523 3, OpenID Connect Core 9) with the same rules as the engine: signature by a registered key,
 * issuer, subject, audience and lifetime.
 */
export function verifyAssertion(
  jwt: CompactJwt | undefined,
  { clientId, keys, audiences, now }: AssertionExpectations,
): VerifiedAssertion | AssertionViolation {
  if (!jwt || !isSignedByJwks(jwt, keys, ASSERTION_ALGORITHMS))
    return { reason: 'not signed with a registered key', isSigned: false }
  const { iss, sub, aud, jti, exp } = jwt.claims
  const violation = (reason: string): AssertionViolation => ({ reason, isSigned: true })
  if (iss !== clientId || sub !== clientId) return violation('iss and sub must be the client ID')
  if (!isForOneOf(aud, audiences)) return violation('aud must be the issuer, its token endpoint or this endpoint')
  if (jti === undefined) return violation('jti is missing')
  if (typeof jti !== 'string' || jti === '') return violation('jti is not a string')
  const timeError = assertionTimeError(jwt.claims, now)
  if (timeError !== undefined) return violation(timeError)
  return { id: proofId(clientId, jti), until: new Date(((exp as number) + LIFETIMES.clockDifference) * SECOND) }
}

/** The error of an assertion that is valid and was used before. */
export const USED_ASSERTION: AssertionViolation = { reason: 'jti was already used', isSigned: true }

/** Returns the description of invalid_client. It contains the reason only for the holder of a registered key. */
export const failedAuthentication = (violation?: AssertionViolation): string =>
  `client authentication failed${violation?.isSigned ? `: ${violation.reason}` : ''}`

/**
 * Verifies `exp`, `nbf` and `iat` of an assertion, and its lifetime. Returns the error, or undefined.
 * @param now in seconds
 */
export function assertionTimeError({ exp, nbf, iat }: Record<string, unknown>, now: number): string | undefined {
  const latest = now + LIFETIMES.clockDifference
  if (exp === undefined) return 'exp is missing'
  if (typeof exp !== 'number') return 'exp is not a number'
  if (exp <= now - LIFETIMES.clockDifference) return 'exp is in the past'
  if (exp > latest + LIFETIMES.clientAssertion)
    return `exp is more than ${LIFETIMES.clientAssertion / 60} minutes in the future`
  for (const [name, time] of Object.entries({ nbf, iat })) {
    if (time !== undefined && typeof time !== 'number') return `${name} is not a number`
    if (time !== undefined && time > latest) return `${name} is in the future`
  }
  return undefined
}

const isForOneOf = (aud: unknown, audiences: readonly string[]): boolean =>
  typeof aud === 'string'
    ? audiences.includes(aud)
    : Array.isArray(aud) && aud.every((one) => typeof one === 'string') && aud.some((one) => audiences.includes(one))

/**
 * Returns the accepted audiences at an endpoint that serves all issuers: the endpoint, every issuer URL of the client, and their
 * token endpoints.
 * @param endpoint public URL
 */
export function audiencesOf(
  baseUrl: string,
  endpoint: string,
  { teamId, applicationId }: { teamId: TeamId; applicationId: ApplicationId },
): string[] {
  const issuers = [teamId, applicationId, `${teamId}/${applicationId}`].map((path) => issuerUrl(baseUrl, path))
  return [endpoint, `${baseUrl}/api/v1/oauth/token`, ...issuers, ...issuers.map((issuer) => `${issuer}/token`)]
}

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

/**
 * Verifies a client assertion (RFC 7523 3, OpenID Connect Core 9) with the same rules as the engine: signature by a registered key,
 * issuer, subject, audience and lifetime. Returns undefined if it is not valid.
 */
export function verifyAssertion(
  jwt: CompactJwt,
  { clientId, keys, audiences, now }: AssertionExpectations,
): VerifiedAssertion | undefined {
  const { iss, sub, aud, jti, exp } = jwt.claims
  if (iss !== clientId || sub !== clientId) return undefined
  if (!isForOneOf(aud, audiences)) return undefined
  if (typeof jti !== 'string' || jti === '') return undefined
  if (typeof exp !== 'number' || assertionTimeError(jwt.claims, now) !== undefined) return undefined
  if (!isSignedByJwks(jwt, keys, ASSERTION_ALGORITHMS)) return undefined
  return { id: proofId(clientId, jti), until: new Date((exp + LIFETIMES.clockDifference) * SECOND) }
}

/**
 * Verifies `exp`, `nbf` and `iat` of an assertion, and its lifetime. Returns the error, or undefined.
 * @param now in seconds
 */
export function assertionTimeError({ exp, nbf, iat }: Record<string, unknown>, now: number): string | undefined {
  const latest = now + LIFETIMES.clockDifference
  if (typeof exp !== 'number' || exp <= now - LIFETIMES.clockDifference) return 'the client_assertion has expired'
  if (exp - now > LIFETIMES.clientAssertion) return 'the client_assertion is valid for too long'
  if (!isTimeUpTo(nbf, latest)) return 'the client_assertion is not valid yet'
  if (!isTimeUpTo(iat, latest)) return 'the client_assertion was issued in the future'
  return undefined
}

const isTimeUpTo = (time: unknown, latest: number): boolean =>
  time === undefined || (typeof time === 'number' && time <= latest)

const isForOneOf = (aud: unknown, audiences: readonly string[]): boolean =>
  typeof aud === 'string'
    ? audiences.includes(aud)
    : Array.isArray(aud) && aud.every((one) => typeof one === 'string') && aud.some((one) => audiences.includes(one))

/**
 * Returns the accepted audiences at an endpoint that serves all issuers: the endpoint, each form of the client's issuers, and their
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

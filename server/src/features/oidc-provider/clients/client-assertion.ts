import { SECOND } from '../../../platform/clock.js'
import type { ApplicationId, TeamId } from '../../../platform/ids.js'
import { type CompactJwt, isSignedByJwks } from '../../../protocols/jws/index.js'
import { ASSERTION_ALGORITHMS } from '../discovery/discovery.js'
import { issuerUrl } from '../model/issuer.js'
import { LIFETIMES } from '../model/lifetimes.js'
import { proofId } from '../model/used-proofs.js'

export const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

/** For whom an assertion must be made, and by whom. */
export interface AssertionExpectations {
  clientId: string
  keys: readonly Record<string, unknown>[]
  audiences: readonly string[]
  /** Seconds. */
  now: number
}

/** A right assertion; it proves its client once. */
export interface VerifiedAssertion {
  id: string
  /** When it is over, wherever its clock stands. */
  until: Date
}

/**
 * Judges the JWT by which a client proves itself (RFC 7523 3, OpenID Connect Core 9) as the engine does at its endpoints: by a key that
 * is registered for the client, about itself, for here, and for a short time.
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
 * What is wrong with the times of an assertion: it is not over, it has begun, it was made before now, and it does not last long.
 * @param now in seconds
 */
export function assertionTimeError({ exp, nbf, iat }: Record<string, unknown>, now: number): string | undefined {
  const latest = now + LIFETIMES.clockDifference
  if (typeof exp !== 'number' || exp <= now - LIFETIMES.clockDifference) return 'the client_assertion is over'
  if (exp - now > LIFETIMES.clientAssertion) return 'the client_assertion lasts too long'
  if (!isTimeUpTo(nbf, latest)) return 'the client_assertion has not begun'
  if (!isTimeUpTo(iat, latest)) return 'the client_assertion was made later than now'
  return undefined
}

const isTimeUpTo = (time: unknown, latest: number): boolean =>
  time === undefined || (typeof time === 'number' && time <= latest)

const isForOneOf = (aud: unknown, audiences: readonly string[]): boolean =>
  typeof aud === 'string'
    ? audiences.includes(aud)
    : Array.isArray(aud) && aud.every((one) => typeof one === 'string') && aud.some((one) => audiences.includes(one))

/**
 * Whom a client may name as the audience at an endpoint of all issuers: that endpoint, an issuer of its own in each of its forms, and
 * the token endpoints of these.
 * @param endpoint public address
 */
export function audiencesOf(
  baseUrl: string,
  endpoint: string,
  { teamId, applicationId }: { teamId: TeamId; applicationId: ApplicationId },
): string[] {
  const issuers = [teamId, applicationId, `${teamId}/${applicationId}`].map((path) => issuerUrl(baseUrl, path))
  return [endpoint, `${baseUrl}/api/v1/oauth/token`, ...issuers, ...issuers.map((issuer) => `${issuer}/token`)]
}

import { createHash } from 'node:crypto'
import {
  type CompactJwt,
  isJwsAlgorithm,
  keysFor,
  type PublishedKey,
  readCompactJwt,
  rejectedParametersIn,
  verifyJws,
} from '../jws/index.js'
import { type Check, shown } from './check.js'

/** Accepted clock difference in seconds. */
export const TOLERANCE = 120
const MAX_SUBJECT_LENGTH = 255

export interface IdTokenRequest {
  token: unknown
  issuer: string
  clientId: string
  nonce: string
  /** The access token of the same response, which `at_hash` must match. */
  accessToken: string | undefined
  keys: readonly PublishedKey[]
  /** Milliseconds. */
  now: number
}

export type Claims = Record<string, unknown>

export type Verdict = { accepted: true; checks: Check[]; claims: Claims } | { accepted: false; checks: Check[] }

export const check = (id: string, good: boolean, rest: Omit<Check, 'id' | 'status'> = {}): Check => ({
  id,
  status: good ? 'ok' : 'failed',
  ...rest,
})
const skipped = (id: string, detail: string): Check => ({ id, status: 'skipped', detail })

/**
 * Verifies an ID token of the code flow (OpenID Connect Core 3.1.3.7). Runs every check, also after a failed one, so that the report
 * names every error. Returns claims only if all checks pass.
 */
export function verifyIdToken(request: IdTokenRequest): Verdict {
  const { token } = request
  const jwt = typeof token === 'string' ? readCompactJwt(token) : undefined
  if (!jwt)
    return {
      accepted: false,
      checks: [check('format', false, { expected: 'a signed JWT', found: typeof token, detail: notAJwt(token) })],
    }
  const checks = [check('format', true), ...verifyHeader(jwt, request.keys, ['jwt']), ...verifyClaims(jwt, request)]
  const accepted = checks.every(({ status }) => status !== 'failed')
  return accepted ? { accepted, checks, claims: jwt.claims } : { accepted, checks }
}

const notAJwt = (token: unknown): string =>
  token === undefined
    ? 'The response of the token endpoint contains no id_token'
    : 'The id_token is not a compact JWT of at most 16 kB'

/** Verifies the header and the signature. @param types accepted values of `typ` in lower case; an absent `typ` is accepted too */
export function verifyHeader(
  { header, input, signature }: CompactJwt,
  keys: readonly PublishedKey[],
  types: readonly string[],
): Check[] {
  const { alg, kid, typ } = header
  const type = check('type', typ === undefined || types.includes(String(typ).toLowerCase()), {
    expected: types.join(' or '),
    found: shown(typ ?? 'absent'),
  })
  const rejected = rejectedParametersIn(header).join(', ')
  const own = check('header', rejected === '', rejected === '' ? {} : { found: rejected })
  if (!isJwsAlgorithm(alg))
    return [
      check('algorithm', false, { expected: 'RS, PS or ES with 256, 384 or 512', found: shown(alg) }),
      type,
      own,
      skipped('signature', 'Not verified: the algorithm is not supported'),
    ]
  const candidates = keysFor(keys, alg, kid)
  const verified = candidates.some(({ publicKey }) => verifyJws(alg, publicKey, input, signature))
  const detail = verified
    ? 'With a published key'
    : candidates.length === 0
      ? `No published key matches ${alg} and kid ${shown(kid ?? 'absent')}`
      : `No published key with the algorithm ${alg} and the kid ${shown(kid ?? 'absent')} verifies the signature`
  return [check('algorithm', true, { found: alg }), type, own, check('signature', verified, { detail })]
}

/**
 * Returns whether the issuer may have published another key in the meantime that verifies the token: none of these keys does, also none with
 * its `kid`, and the algorithm is supported.
 */
export function mayNeedOtherKeys(token: unknown, keys: readonly PublishedKey[]): boolean {
  const jwt = typeof token === 'string' ? readCompactJwt(token) : undefined
  if (!jwt) return false
  const { alg, kid } = jwt.header
  if (!isJwsAlgorithm(alg)) return false
  return !keysFor(keys, alg, kid).some(({ publicKey }) => verifyJws(alg, publicKey, jwt.input, jwt.signature))
}

function verifyClaims({ claims }: CompactJwt, request: IdTokenRequest): Check[] {
  const { iss, sub } = claims
  return [
    check('issuer', iss === request.issuer, { expected: request.issuer, found: shown(iss) }),
    ...verifyAudience(claims, request.clientId),
    ...verifyTimes(claims, request.now),
    verifyNonce(claims.nonce, request.nonce),
    check('subject', typeof sub === 'string' && sub.trim() !== '' && sub.length <= MAX_SUBJECT_LENGTH, {
      expected: `1 to ${MAX_SUBJECT_LENGTH} characters, not all blank`,
      found: shown(sub),
    }),
    verifyTokenHash(claims, request.accessToken),
  ]
}

function verifyNonce(found: unknown, expected: string): Check {
  if (found === expected) return check('nonce', true)
  return check('nonce', false, { detail: found === undefined ? 'The token has none' : 'It belongs to another sign-in' })
}

/** Verifies `aud` and `azp` (Core 3.1.3.7 (3) to (5)): with several audiences, or with `azp`, the authorized party must be this client. */
function verifyAudience({ aud, azp }: Claims, clientId: string): Check[] {
  const audience = Array.isArray(aud) ? aud : [aud]
  const among = audience.includes(clientId) && audience.every((one) => typeof one === 'string')
  const rest = { expected: clientId, found: shown(aud) }
  const authorized =
    azp === undefined && audience.length === 1
      ? skipped('authorized_party', 'The token has one audience and no azp')
      : check('authorized_party', azp === clientId, { expected: clientId, found: shown(azp ?? 'absent') })
  return [check('audience', among, rest), authorized]
}

function verifyTimes({ exp, nbf, iat }: Claims, now: number): Check[] {
  const seconds = Math.floor(now / 1_000)
  const ago = (timestamp: unknown) =>
    isTime(timestamp) ? `${seconds - timestamp} s ago` : shown(timestamp ?? 'absent')
  return [
    check('expiry', isTime(exp) && exp + TOLERANCE > seconds, { expected: 'in the future', found: ago(exp) }),
    nbf === undefined
      ? skipped('not_before', 'The token has no nbf')
      : check('not_before', isTime(nbf) && nbf - TOLERANCE <= seconds, { expected: 'in the past', found: ago(nbf) }),
    check('issued_at', isTime(iat) && Math.abs(seconds - iat) <= TOLERANCE, {
      expected: `within ${TOLERANCE} s of Keyward's clock`,
      found: ago(iat),
    }),
  ]
}

const isTime = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value)

/** Verifies `at_hash` (Core 3.1.3.6), the left half of the hash of the access token, if present: it is optional in the code flow. */
function verifyTokenHash(claims: Claims, accessToken: string | undefined): Check {
  const { at_hash: found } = claims
  if (found === undefined || accessToken === undefined) return skipped('access_token_hash', 'The token has no at_hash')
  const matches = ['sha256', 'sha384', 'sha512'].some((algorithm) => {
    const digest = createHash(algorithm).update(accessToken).digest()
    return digest.subarray(0, digest.length / 2).toString('base64url') === found
  })
  return check('access_token_hash', matches)
}

import { createHash } from 'node:crypto'
import { type CompactJwt, isJwsAlgorithm, readCompactJwt, verifyJws } from '../jws/index.js'
import { type Check, shown } from './check.js'
import { keysFor, type PublishedKey } from './public-keys.js'

/** Seconds by which two clocks may differ. */
export const TOLERANCE = 120
const LONGEST_SUBJECT = 255

export interface IdTokenQuestion {
  token: unknown
  issuer: string
  clientId: string
  nonce: string
  /** The access token that came with it; `at_hash` must be of it. */
  accessToken: string | undefined
  keys: readonly PublishedKey[]
  /** Milliseconds. */
  now: number
}

export type Claims = Record<string, unknown>

export type Verdict = { accepted: true; checks: Check[]; claims: Claims } | { accepted: false; checks: Check[] }

const check = (id: string, good: boolean, rest: Omit<Check, 'id' | 'status'> = {}): Check => ({
  id,
  status: good ? 'ok' : 'failed',
  ...rest,
})
const skipped = (id: string, detail: string): Check => ({ id, status: 'skipped', detail })

/**
 * Judges an ID token of the code flow (OpenID Connect Core 3.1.3.7). It goes on after what failed, so that a report names everything
 * that is wrong; claims come out only of a token that passed whole.
 */
export function verifyIdToken(question: IdTokenQuestion): Verdict {
  const { token } = question
  const jwt = typeof token === 'string' ? readCompactJwt(token) : undefined
  if (!jwt)
    return {
      accepted: false,
      checks: [check('format', false, { expected: 'a signed JWT', found: typeof token, detail: notAJwt(token) })],
    }
  const checks = [check('format', true), ...verifyHeader(jwt, question.keys, ['jwt']), ...verifyClaims(jwt, question)]
  const accepted = checks.every(({ status }) => status !== 'failed')
  return accepted ? { accepted, checks, claims: jwt.claims } : { accepted, checks }
}

const notAJwt = (token: unknown): string =>
  token === undefined
    ? 'The answer of the token endpoint has no id_token'
    : 'The id_token is no compact JWT of at most 16 kB'

/** What a header must not bring: a key of its own, or demands (RFC 7515 4.1.11, RFC 8725 3.10). */
const FORBIDDEN = ['crit', 'jwk', 'jku', 'x5u', 'x5c']

/** The header and the signature. @param types which `typ` it may have, in lower case; none at all is right too */
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
  const brought = FORBIDDEN.filter((name) => name in header)
  const own = check('header', brought.length === 0, brought.length > 0 ? { found: brought.join(', ') } : {})
  if (!isJwsAlgorithm(alg))
    return [
      check('algorithm', false, { expected: 'RS, PS or ES with 256, 384 or 512', found: shown(alg) }),
      type,
      own,
      skipped('signature', 'Not verified: the algorithm is not served'),
    ]
  const candidates = keysFor(keys, alg, kid)
  const verified = candidates.some(({ publicKey }) => {
    try {
      return verifyJws(alg, publicKey, input, signature)
    } catch {
      return false
    }
  })
  const detail = candidates.length === 0 ? `No published key fits ${alg} and kid ${shown(kid)}` : 'By a published key'
  return [check('algorithm', true, { found: alg }), type, own, check('signature', verified, { detail })]
}

function verifyClaims({ claims }: CompactJwt, question: IdTokenQuestion): Check[] {
  const { iss, sub } = claims
  return [
    check('issuer', iss === question.issuer, { expected: question.issuer, found: shown(iss) }),
    ...verifyAudience(claims, question.clientId),
    ...verifyTimes(claims, question.now),
    verifyNonce(claims.nonce, question.nonce),
    check('subject', typeof sub === 'string' && sub.trim() !== '' && sub.length <= LONGEST_SUBJECT, {
      expected: `1 to ${LONGEST_SUBJECT} characters, not all blank`,
      found: shown(sub),
    }),
    verifyTokenHash(claims, question.accessToken),
  ]
}

function verifyNonce(found: unknown, expected: string): Check {
  if (found === expected) return check('nonce', true)
  return check('nonce', false, { detail: found === undefined ? 'It has none' : 'It is of another sign-in' })
}

/** Core 3.1.3.7 (3) to (5): we are among the audience, and where there are others, or `azp` is there, the token was made for us. */
function verifyAudience({ aud, azp }: Claims, clientId: string): Check[] {
  const audience = Array.isArray(aud) ? aud : [aud]
  const among = audience.includes(clientId) && audience.every((one) => typeof one === 'string')
  const rest = { expected: clientId, found: shown(aud) }
  const authorized =
    azp === undefined && audience.length === 1
      ? skipped('authorized_party', 'It has one audience and no azp')
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
      ? skipped('not_before', 'It has no nbf')
      : check('not_before', isTime(nbf) && nbf - TOLERANCE <= seconds, { expected: 'in the past', found: ago(nbf) }),
    check('issued_at', isTime(iat) && Math.abs(seconds - iat) <= TOLERANCE, {
      expected: `within ${TOLERANCE} s of our clock`,
      found: ago(iat),
    }),
  ]
}

const isTime = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value)

/** Core 3.1.3.6: the left half of the hash of the access token. It is optional in the code flow, and judged where it is there. */
function verifyTokenHash(claims: Claims, accessToken: string | undefined): Check {
  const { at_hash: found } = claims
  if (found === undefined || accessToken === undefined) return skipped('access_token_hash', 'It has no at_hash')
  const matches = ['sha256', 'sha384', 'sha512'].some((algorithm) => {
    const digest = createHash(algorithm).update(accessToken).digest()
    return digest.subarray(0, digest.length / 2).toString('base64url') === found
  })
  return check('access_token_hash', matches)
}

import { Secret, TOTP } from 'otpauth'

/**
 * The parameters that every authenticator app supports: six digits, a step of 30 seconds, HMAC-SHA-1. Codes of the previous and the
 * next step are accepted too, because clocks differ.
 */
const DIGITS = 6
const STEP_SECONDS = 30
const DRIFT_STEPS = 1
/** RFC 4226 4, requirement 6: 160 bits. */
const SECRET_BYTES = 20

/** Returns a new secret in base32, the form that users type and the URL of the QR code contains. */
export const newTotpSecret = (): string => new Secret({ size: SECRET_BYTES }).base32

const totpOf = (secret: string, names?: { issuer: string; account: string }): TOTP =>
  new TOTP({
    algorithm: 'SHA1',
    digits: DIGITS,
    period: STEP_SECONDS,
    secret: Secret.fromBase32(secret),
    ...(names && { issuer: names.issuer, label: names.account }),
  })

/** Returns the `otpauth://` URL for the QR code. Colons are replaced, because a colon ends the name of the issuer. */
export const totpUrl = (secret: string, { issuer, account }: { issuer: string; account: string }): string =>
  totpOf(secret, { issuer: issuer.replaceAll(':', ' '), account }).toString()

/**
 * Returns the step of the code, counted from the epoch; undefined if the code is wrong.
 * @param code six digits
 * @param now milliseconds since the epoch
 */
export function matchingStep(secret: string, code: string, now: number): number | undefined {
  const delta = totpOf(secret).validate({ token: code, timestamp: now, window: DRIFT_STEPS })
  return delta === null ? undefined : Math.floor(now / (STEP_SECONDS * 1_000)) + delta
}

/** Returns the first step whose code is accepted at a time. Used codes of earlier steps need not be stored. */
export const firstAcceptedStep = (now: number): number => Math.floor(now / (STEP_SECONDS * 1_000)) - DRIFT_STEPS

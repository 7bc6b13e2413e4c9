import { Secret, TOTP } from 'otpauth'

/**
 * Time-based one-time passwords (RFC 6238) as every authenticator app makes them: six digits, a step of 30 seconds, HMAC-SHA-1. A code
 * of the step before or after the present one is right too, because clocks differ.
 */
const DIGITS = 6
const STEP_SECONDS = 30
const DRIFT_STEPS = 1
/** RFC 4226 4, requirement 6: 160 bits. */
const SECRET_BYTES = 20

/** A new secret in base32, as people type it and the address of the QR code carries it. */
export const newTotpSecret = (): string => new Secret({ size: SECRET_BYTES }).base32

const totpOf = (secret: string, names?: { issuer: string; account: string }): TOTP =>
  new TOTP({
    algorithm: 'SHA1',
    digits: DIGITS,
    period: STEP_SECONDS,
    secret: Secret.fromBase32(secret),
    ...(names && { issuer: names.issuer, label: names.account }),
  })

/** The `otpauth://` address that apps read from a QR code. A colon would end the name of the issuer. */
export const totpAddress = (secret: string, { issuer, account }: { issuer: string; account: string }): string =>
  totpOf(secret, { issuer: issuer.replaceAll(':', ' '), account }).toString()

/**
 * The step in which the code is right, counted from the epoch; undefined when it is wrong.
 * @param code six digits
 * @param now milliseconds since the epoch
 */
export function matchingStep(secret: string, code: string, now: number): number | undefined {
  const delta = totpOf(secret).validate({ token: code, timestamp: now, window: DRIFT_STEPS })
  return delta === null ? undefined : Math.floor(now / (STEP_SECONDS * 1_000)) + delta
}

/** The steps whose codes are right at a time: what was used before them need not be remembered. */
export const firstRightStep = (now: number): number => Math.floor(now / (STEP_SECONDS * 1_000)) - DRIFT_STEPS

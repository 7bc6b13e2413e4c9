import { Secret, TOTP } from 'otpauth'
import { expect } from 'vitest'
import type { ApiRequest, ApiResponse } from '../harness/api.js'
import type { TestService } from '../harness/service.js'
import { type Authenticator, createAuthenticator } from './authenticator.js'
import { copyRegistration, storeRegistration } from './copied-user.js'
import { newEmail, registerUser, type TestUser, verifyEmailAddress } from './factories.js'

/** The authenticator app of a user. */
export interface App {
  methodId: string
  secret: string
  backupCodes: string[]
  /** Returns the code that the app shows, optionally some steps of 30 seconds later. */
  code(steps?: number): string
}

const STEP = 30_000

/** Returns the code of a secret at a time of the test clock. */
export const codeOf = (secret: string, now: number): string =>
  new TOTP({ secret: Secret.fromBase32(secret), algorithm: 'SHA1', digits: 6, period: 30 }).generate({ timestamp: now })

/** Moves the clock to the beginning of a 30-second step, so that the next requests are all in the same step. */
export const beginStep = ({ clock }: Pick<TestService, 'clock'>): Promise<void> =>
  clock.advance(STEP - (clock.ms() % STEP) + 100)

/** Begins the enrollment of an app. */
export async function startApp(
  { api, clock }: TestService,
  { token }: Pick<TestUser, 'token'>,
  body: { name?: string } = {},
): Promise<App> {
  const answer = await api('POST', '/api/v1/auth/mfa/enroll/totp', { token, body })
  expect(answer.status, answer.text).toBe(200)
  return toApp(clock, answer.body)
}

const toApp = (clock: TestService['clock'], { methodId, secret, backupCodes }: Omit<App, 'code'>): App => ({
  methodId,
  secret,
  backupCodes,
  code: (steps = 0) => codeOf(secret, clock.ms() + steps * STEP),
})

/** Enrolls an app and confirms it with a code. */
export async function enrollApp(service: TestService, user: Pick<TestUser, 'token'>, name?: string): Promise<App> {
  const app = await startApp(service, user, name === undefined ? {} : { name })
  const { status, text } = await service.api('POST', '/api/v1/auth/mfa/enroll/verify', {
    token: user.token,
    body: { methodId: app.methodId, code: app.code() },
  })
  expect(status, text).toBe(200)
  return app
}

/**
 * Registers an account that has enrolled an app, optionally after it verified its email address with the mailed link. Copies the rows of the
 * service's first such account, without the mail about the factor.
 */
export async function registerWithApp(
  service: TestService,
  { verified = false } = {},
): Promise<{ user: TestUser; app: App }> {
  const state = { verified, factor: 'app' } as const
  const email = newEmail()
  const copied = await copyRegistration(service, email, state)
  if (copied?.factor) return { user: copied.user, app: toApp(service.clock, copied.factor) }
  const user = await registerUser(service, { email })
  if (verified) await verifyEmailAddress(service, user)
  const app = await enrollApp(service, user)
  await storeRegistration(service, user, state)
  return { user, app }
}

/** Works like `registerWithApp`, with a passkey of a new authenticator. */
export async function registerWithPasskey(
  service: TestService,
): Promise<{ user: TestUser; methodId: string; authenticator: Authenticator; backupCodes: string[] | undefined }> {
  const state = { verified: false, factor: 'passkey' } as const
  const email = newEmail()
  const copied = await copyRegistration(service, email, state)
  if (copied?.factor) return { user: copied.user, ...copied.factor }
  const user = await registerUser(service, { email })
  const enrolled = await enrollPasskey(service, user)
  await storeRegistration(service, user, state)
  return { user, ...enrolled }
}

/** Enrolls a passkey of a new authenticator, or of the given one. */
export async function enrollPasskey(
  { api }: TestService,
  { token }: Pick<TestUser, 'token'>,
  authenticator: Authenticator = createAuthenticator(),
): Promise<{ methodId: string; authenticator: Authenticator; backupCodes: string[] | undefined }> {
  const options = await api('GET', '/api/v1/auth/mfa/passkey/options', { token })
  expect(options.status, options.text).toBe(200)
  const credential = authenticator.create(options.body)
  const { status, body, text } = await api('POST', '/api/v1/auth/mfa/passkey/enroll', { token, body: { credential } })
  expect(status, text).toBe(200)
  return { methodId: body.methodId, authenticator, backupCodes: body.backupCodes }
}

/** Signs in with the password and returns the challenge for the second factor. */
export async function beginLogIn(
  { api }: TestService,
  { email, password }: Pick<TestUser, 'email' | 'password'>,
  request: ApiRequest = {},
): Promise<ApiResponse['body']> {
  const { status, body, text } = await api('POST', '/api/v1/auth/login', { ...request, body: { email, password } })
  expect(status, text).toBe(200)
  expect(body.mfaRequired, text).toBe(true)
  return body
}

/** Completes a challenge with a code. */
export const completeChallengeWithCode = (
  { api }: TestService,
  mfaToken: string,
  code: string,
  { isBackupCode, ...request }: ApiRequest & { isBackupCode?: boolean } = {},
): Promise<ApiResponse> =>
  api('POST', '/api/v1/auth/mfa/verify-challenge', {
    ...request,
    body: { mfaToken, code, ...(isBackupCode !== undefined && { isBackupCode }) },
  })

/** Completes a challenge with a passkey. */
export async function completeChallengeWithPasskey(
  { api }: TestService,
  mfaToken: string,
  authenticator: Authenticator,
  ...tamper: Parameters<Authenticator['get']> extends [unknown, ...infer Rest] ? Rest : never
): Promise<ApiResponse> {
  const options = await api('POST', '/api/v1/auth/mfa/passkey/challenge/options', { body: { mfaToken } })
  expect(options.status, options.text).toBe(200)
  const credential = authenticator.get(options.body, ...tamper)
  return api('POST', '/api/v1/auth/mfa/passkey/challenge/verify', { body: { mfaToken, credential } })
}

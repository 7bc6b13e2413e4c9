import Type from 'typebox'
import { defineRoute, type Route } from '../../platform/http/route.js'
import type { FactorDeps } from './deps.js'
import { enrolPasskey, offerPasskey } from './enrol-passkey.js'
import { readStatus } from './read-status.js'
import { regenerateBackupCodes } from './regenerate-backup-codes.js'
import { removeFactor } from './remove-factor.js'
import { renameFactor } from './rename-factor.js'
import {
  Codes,
  FactorName,
  MfaMethod,
  PasskeyCreation,
  presentFactor,
  presentStatus,
  RegistrationCredential,
  Status,
  TypedCodeText,
} from './schema.js'
import { startTotp } from './start-totp.js'
import { toggleAdaptive } from './toggle-adaptive.js'
import { verifyTotp } from './verify-totp.js'

const shared = { permission: 'signed-in', tag: 'Second factor' } as const
const CHANGE_ERRORS = ['reauthentication_required', 'second_factor_required'] as const
/** What a session may do whose user must enrol a factor before anything else. */
const ENROLLING = ['mfa_enrollment', 'team_mfa_enrollment'] as const

/** What a person does with the second factors of their own account. */
export const factorRoutes = (deps: FactorDeps): Route[] => [
  defineRoute({
    ...shared,
    method: 'GET',
    path: '/api/v1/auth/mfa/status',
    whileRestricted: ENROLLING,
    summary: "The caller's second factors",
    description: 'In a restricted session, those that are restricted to its team.',
    responses: { 200: Status },
    handle: async ({ actor }) => presentStatus(await readStatus(deps, actor)),
  }),
  defineRoute({
    ...shared,
    method: 'POST',
    path: '/api/v1/auth/mfa/enroll/totp',
    whileRestricted: ENROLLING,
    summary: 'Begin the enrolment of an authenticator app; its first code ends it',
    description:
      'Waits for that code for an hour. The backup codes work from then on; an account that has some already is shown none (an empty list). Needs a recent sign-in.',
    body: Type.Object({ name: Type.Optional(FactorName) }),
    responses: {
      200: Type.Object({
        methodId: Type.String(),
        otpAuthUrl: Type.String({ description: 'otpauth://totp/… with the secret' }),
        qrCode: Type.String({ description: 'The same as a picture: data:image/png;base64,…' }),
        secret: Type.String({ description: 'The same to be typed: base32' }),
        backupCodes: Codes,
      }),
    },
    errors: ['too_many_factors', ...CHANGE_ERRORS],
    handle: ({ actor, body }) => startTotp(deps, actor, body.name ?? 'Authenticator app'),
  }),
  defineRoute({
    ...shared,
    method: 'POST',
    path: '/api/v1/auth/mfa/enroll/verify',
    endsSessions: true,
    whileRestricted: ENROLLING,
    summary: 'End the enrolment of an authenticator app by its first code',
    body: Type.Object({
      methodId: Type.String({ maxLength: 100 }),
      code: TypedCodeText('Six digits; spaces do not matter'),
    }),
    responses: { 200: Type.Object({ success: Type.Literal(true), backupCodes: Type.Optional(Codes) }) },
    errors: ['mfa_invalid:400', 'factor_not_found', ...CHANGE_ERRORS],
    handle: async ({ actor, body }) => {
      const backupCodes = await verifyTotp(deps, actor, body.methodId, body.code)
      return { success: true as const, ...(backupCodes && { backupCodes }) }
    },
  }),
  defineRoute({
    ...shared,
    method: 'POST',
    path: '/api/v1/auth/mfa/backup-codes/regenerate',
    summary: 'Make ten new backup codes; every earlier one is dead',
    description: 'Needs a recent sign-in.',
    responses: { 200: Type.Object({ backupCodes: Codes }) },
    errors: ['mfa_not_enabled', ...CHANGE_ERRORS],
    handle: async ({ actor }) => ({ backupCodes: await regenerateBackupCodes(deps, actor) }),
  }),
  defineRoute({
    ...shared,
    method: 'GET',
    path: '/api/v1/auth/mfa/passkey/options',
    whileRestricted: ENROLLING,
    summary: 'What a browser is to make a passkey by',
    responses: { 200: PasskeyCreation },
    handle: ({ actor }) => offerPasskey(deps, actor),
  }),
  defineRoute({
    ...shared,
    method: 'POST',
    path: '/api/v1/auth/mfa/passkey/enroll',
    endsSessions: true,
    whileRestricted: ENROLLING,
    summary: 'Register a passkey',
    description:
      'It is a second factor, and signs in by itself wherever it verifies its user. The first factor of an account comes with backup codes. Needs a recent sign-in.',
    body: Type.Object({ credential: RegistrationCredential, name: Type.Optional(FactorName) }),
    responses: {
      200: Type.Object({
        success: Type.Literal(true),
        methodId: Type.String(),
        backupCodes: Type.Optional(Codes),
      }),
    },
    errors: ['passkey_invalid:400', 'passkey_exists', 'too_many_factors', ...CHANGE_ERRORS],
    handle: async ({ actor, body }) => {
      const { methodId, backupCodes } = await enrolPasskey(deps, actor, body.credential, body.name)
      return { success: true as const, methodId, ...(backupCodes && { backupCodes }) }
    },
  }),
  defineRoute({
    ...shared,
    method: 'POST',
    path: '/api/v1/auth/mfa/adaptive/toggle',
    summary: 'Choose whether a second factor is asked for at each sign-in, or only where one looks unusual',
    description:
      'Device, network, country and recent failures decide for each sign-in; see docs/adaptive-sign-in.md. What the instance or a policy of the team requires is asked for all the same. Needs a recent sign-in.',
    body: Type.Object({ enabled: Type.Boolean() }),
    responses: { 200: Type.Object({ enabled: Type.Boolean() }) },
    errors: ['team_sign_in_required', ...CHANGE_ERRORS],
    handle: async ({ actor, body }) => {
      await toggleAdaptive(deps, actor, body.enabled)
      return { enabled: body.enabled }
    },
  }),
  defineRoute({
    ...shared,
    method: 'PATCH',
    path: '/api/v1/auth/mfa/methods/:id',
    summary: 'Rename a second factor',
    params: Type.Object({ id: Type.String() }),
    body: Type.Object({ name: FactorName }),
    responses: { 200: MfaMethod },
    errors: ['factor_not_found', ...CHANGE_ERRORS],
    handle: async ({ actor, params, body }) => presentFactor(await renameFactor(deps, actor, params.id, body.name)),
  }),
  defineRoute({
    ...shared,
    method: 'DELETE',
    path: '/api/v1/auth/mfa/methods/:id',
    summary: 'Remove one second factor; the last one takes the backup codes with it',
    params: Type.Object({ id: Type.String() }),
    responses: { 200: Type.Object({ message: Type.String() }) },
    errors: ['factor_not_found', 'mfa_required_here', ...CHANGE_ERRORS],
    handle: async ({ actor, params }) => {
      await removeFactor(deps, actor, params.id)
      return { message: 'The second factor was removed' }
    },
  }),
]

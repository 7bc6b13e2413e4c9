import Type from 'typebox'
import { defineRoute, type Route } from '../../platform/http/route.js'
import type { FactorDeps } from './deps.js'
import { readStatus, regenerateBackupCodes, removeFactor, renameFactor, toggleAdaptive } from './manage-factors.js'
import { enrollPasskey, passkeyCreationOptions } from './passkeys/enroll-passkey.js'
import {
  Codes,
  FactorName,
  MfaMethod,
  PasskeyCreation,
  presentFactor,
  presentStatus,
  RegistrationCredential,
  Status,
  TypedCodeString,
} from './schema.js'
import { startTotp, verifyTotp } from './totp/enroll-totp.js'

const shared = { permission: 'signed-in', tag: 'Second factor' } as const
const CHANGE_ERRORS = ['reauthentication_required', 'second_factor_required'] as const
/** The restrictions of a session in which an enrollment is due. */
const ENROLLING = ['mfa_enrollment', 'team_mfa_enrollment'] as const

export const factorRoutes = (deps: FactorDeps): Route[] => [
  defineRoute({
    ...shared,
    method: 'GET',
    path: '/api/v1/auth/mfa/status',
    allowedRestrictions: ENROLLING,
    summary: "List the caller's second factors",
    description: 'A restricted session lists those that are restricted to its team.',
    responses: { 200: Status },
    handle: async ({ actor }) => presentStatus(await readStatus(deps, actor)),
  }),
  defineRoute({
    ...shared,
    method: 'POST',
    path: '/api/v1/auth/mfa/enroll/totp',
    allowedRestrictions: ENROLLING,
    summary: 'Start the enrollment of an authenticator app; its first code completes it',
    description:
      'The enrollment expires after an hour. The backup codes are valid once it is complete; the list is empty if the account already has some. Requires a recent sign-in.',
    body: Type.Object({ name: Type.Optional(FactorName) }),
    responses: {
      200: Type.Object({
        methodId: Type.String(),
        otpAuthUrl: Type.String({ description: 'otpauth://totp/… with the secret' }),
        qrCode: Type.String({ description: '`otpAuthUrl` as a QR code: data:image/png;base64,…' }),
        secret: Type.String({ description: 'The secret for manual entry, base32' }),
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
    allowedRestrictions: ENROLLING,
    summary: 'Complete the enrollment of an authenticator app with its first code',
    body: Type.Object({
      methodId: Type.String({ maxLength: 100 }),
      code: TypedCodeString('Six digits; spaces are ignored'),
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
    summary: 'Create ten new backup codes and revoke all earlier ones',
    description: 'Requires a recent sign-in.',
    responses: { 200: Type.Object({ backupCodes: Codes }) },
    errors: ['mfa_not_enabled', ...CHANGE_ERRORS],
    handle: async ({ actor }) => ({ backupCodes: await regenerateBackupCodes(deps, actor) }),
  }),
  defineRoute({
    ...shared,
    method: 'GET',
    path: '/api/v1/auth/mfa/passkey/options',
    allowedRestrictions: ENROLLING,
    summary: 'Return the WebAuthn creation options for a passkey',
    responses: { 200: PasskeyCreation },
    handle: ({ actor }) => passkeyCreationOptions(deps, actor),
  }),
  defineRoute({
    ...shared,
    method: 'POST',
    path: '/api/v1/auth/mfa/passkey/enroll',
    endsSessions: true,
    allowedRestrictions: ENROLLING,
    summary: 'Register a passkey',
    description:
      'The passkey is a second factor, and can sign in alone if it verifies its user. The response for the first factor of an account has backup codes. Requires a recent sign-in.',
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
      const { methodId, backupCodes } = await enrollPasskey(deps, actor, body.credential, body.name)
      return { success: true as const, methodId, ...(backupCodes && { backupCodes }) }
    },
  }),
  defineRoute({
    ...shared,
    method: 'POST',
    path: '/api/v1/auth/mfa/adaptive/toggle',
    summary: 'Choose whether a second factor is required at each sign-in, or only at unusual ones',
    description:
      'For each sign-in, the device, the network, the country and recent failures determine whether a factor is required; see docs/concepts/adaptive-sign-in.md. A factor that the instance or a policy of the team requires is always required. Requires a recent sign-in.',
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
    summary: 'Remove a second factor; the last one also removes the backup codes',
    params: Type.Object({ id: Type.String() }),
    responses: { 200: Type.Object({ message: Type.String() }) },
    errors: ['factor_not_found', 'mfa_required_here', ...CHANGE_ERRORS],
    handle: async ({ actor, params }) => {
      await removeFactor(deps, actor, params.id)
      return { message: 'The second factor was removed' }
    },
  }),
]

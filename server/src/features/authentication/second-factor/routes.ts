import Type from 'typebox'
import { defineRoute, type Route } from '../../../platform/http/route.js'
import { timestamp } from '../../../platform/http/schema-parts.js'
import {
  AssertionCredential,
  anyPasskeyRequestOptions,
  PasskeyRequest,
  Success,
  TypedCodeString,
} from '../../mfa/index.js'
import { deviceCookie, Session, setSsoCookie } from '../../sessions/index.js'
import type { AccountDeps } from '../deps.js'
import { Password, remember } from '../schema.js'
import { signInByPasskey } from '../sign-in/sign-in-by-passkey.js'
import { ASSERTION_ERRORS, respondToSignIn, SIGN_IN_ERRORS } from '../sign-in/sign-in-exchange.js'
import { challengeOptions, completeChallenge, leaveChallenge } from './challenge.js'
import { disableMfa, reauthenticate, reauthenticationOptions } from './reauthenticate.js'

const tag = 'Second factor'
const publicPost = { method: 'POST', permission: 'public', tag } as const
/** A session in which an enrollment is due may be reauthenticated too. */
const reauthentication = {
  method: 'POST',
  permission: 'signed-in',
  allowedRestrictions: ['mfa_enrollment', 'team_mfa_enrollment'],
  tag: 'Sign-in and password',
} as const
const MfaToken = Type.String({ maxLength: 512 })
const isBackupCode = Type.Optional(Type.Boolean({ description: 'Whether `code` is a backup code' }))

const CHALLENGE_ERRORS = ['mfa_invalid', 'mfa_expired', ...SIGN_IN_ERRORS, ...ASSERTION_ERRORS]

export const factorProofRoutes = (deps: AccountDeps): Route[] => [
  defineRoute({
    ...publicPost,
    path: '/api/v1/auth/mfa/verify-challenge',
    summary: 'Complete a pending sign-in with a code',
    description:
      'A code of an authenticator app is accepted for one challenge of the account, a backup code once. The fifth wrong code ends the challenge, and failures count like wrong passwords.',
    body: Type.Object({
      mfaToken: MfaToken,
      code: TypedCodeString('Six digits of an authenticator app, or a backup code; spaces and hyphens are ignored'),
      isBackupCode,
    }),
    responses: { 200: Session },
    errors: CHALLENGE_ERRORS,
    handle: (context) => {
      const { mfaToken, ...typed } = context.body
      return respondToSignIn(deps, context, {}, (request) => completeChallenge(deps, mfaToken, { typed }, request))
    },
  }),
  defineRoute({
    ...publicPost,
    path: '/api/v1/auth/mfa/passkey/challenge/options',
    summary: 'Return the WebAuthn request options for a pending sign-in',
    body: Type.Object({ mfaToken: MfaToken }),
    responses: { 200: PasskeyRequest },
    errors: ['mfa_expired', 'no_passkey'],
    handle: ({ body, origin }) => challengeOptions(deps, body.mfaToken, origin),
  }),
  defineRoute({
    ...publicPost,
    path: '/api/v1/auth/mfa/passkey/challenge/verify',
    summary: 'Complete a pending sign-in with a passkey',
    body: Type.Object({ mfaToken: MfaToken, credential: AssertionCredential }),
    responses: { 200: Session },
    errors: CHALLENGE_ERRORS,
    handle: (context) => {
      const { mfaToken, credential } = context.body
      return respondToSignIn(deps, context, {}, (request) => completeChallenge(deps, mfaToken, { credential }, request))
    },
  }),
  defineRoute({
    ...publicPost,
    path: '/api/v1/auth/mfa/other-team',
    summary: 'End a challenge and sign in to another team',
    description:
      'For a user whose team requires a factor that is restricted to it: `mfaOtherTeams` of the challenge lists the other teams. The other team evaluates its own policies and requires its own factors, so the response may be another challenge. A restricted sign-in cannot continue in another team. The response is `second_factor_required` if an unrestricted factor can complete the challenge, and in a switch to the team.',
    body: Type.Object({
      mfaToken: MfaToken,
      teamId: Type.Optional(
        Type.String({
          maxLength: 100,
          description: "Without it, the next of the user's teams is selected, or a new team is created",
        }),
      ),
    }),
    responses: { 200: Session },
    errors: ['mfa_expired', 'invalid_credentials', 'second_factor_required', ...SIGN_IN_ERRORS],
    handle: (context) => {
      const { mfaToken, teamId } = context.body
      return respondToSignIn(deps, context, {}, (request) => leaveChallenge(deps, mfaToken, teamId, request))
    },
  }),
  defineRoute({
    ...publicPost,
    path: '/api/v1/auth/passkey/options',
    summary: 'Return the WebAuthn request options for a sign-in with a passkey alone; they name no account',
    responses: { 200: PasskeyRequest },
    handle: async () => anyPasskeyRequestOptions(deps),
  }),
  defineRoute({
    ...publicPost,
    path: '/api/v1/auth/passkey/verify',
    summary: 'Sign in with a passkey alone, without email address and password',
    description: 'Requires user verification by the passkey. It then counts as two factors, and no other is required.',
    body: Type.Object({
      credential: AssertionCredential,
      teamId: Type.Optional(Type.String({ maxLength: 100 })),
      remember,
    }),
    responses: { 200: Session },
    errors: ['passkey_invalid', ...SIGN_IN_ERRORS, 'role_protected'],
    handle: (context) =>
      respondToSignIn(deps, context, context.body, (request) => signInByPasskey(deps, context.body, request)),
  }),
  defineRoute({
    method: 'POST',
    path: '/api/v1/auth/mfa/disable',
    permission: 'signed-in',
    tag,
    summary: "Remove all of the caller's second factors",
    description:
      'Requires a passkey assertion for `POST /auth/reauthenticate/options`. A session that has verified a factor can send the current password instead, or rely on a recent sign-in if the account has no password. A restricted session removes the factors that are restricted to its team, and requires a recent sign-in.',
    body: Type.Object({
      password: Type.Optional(Password),
      credential: Type.Optional(AssertionCredential),
    }),
    responses: { 200: Success },
    errors: [
      'wrong_password',
      'passkey_invalid:403',
      'second_factor_required',
      'mfa_required_here',
      'reauthentication_required',
    ],
    handle: async ({ actor, body, http }) => {
      await disableMfa(deps, actor, { ...body, deviceToken: deviceCookie(http) })
      return { success: true as const }
    },
  }),
  defineRoute({
    ...reauthentication,
    path: '/api/v1/auth/reauthenticate/options',
    summary: 'Return the WebAuthn request options for a reauthentication of the caller',
    responses: { 200: PasskeyRequest },
    errors: ['no_passkey'],
    handle: ({ actor }) => reauthenticationOptions(deps, actor),
  }),
  defineRoute({
    ...reauthentication,
    path: '/api/v1/auth/reauthenticate',
    summary: 'Reauthenticate the caller; allows actions that require a recent sign-in for 15 minutes',
    description: 'Send one of: the password, a passkey assertion, a code.',
    body: Type.Object({
      password: Type.Optional(Password),
      code: Type.Optional(TypedCodeString('A code of an authenticator app, or a backup code')),
      isBackupCode,
      credential: Type.Optional(AssertionCredential),
    }),
    responses: { 200: Type.Object({ message: Type.String(), authenticatedAt: timestamp() }) },
    errors: ['wrong_password', 'mfa_invalid:403', 'passkey_invalid:403', 'team_sign_in_required'],
    handle: async ({ actor, body, http }) => {
      const { password, code, isBackupCode = false, credential } = body
      const { authenticatedAt, ssoToken, ...terms } = await reauthenticate(deps, actor, {
        password,
        typed: code === undefined ? undefined : { code, isBackupCode },
        credential,
        deviceToken: deviceCookie(http),
      })
      if (http.ownOrigin) setSsoCookie(http, ssoToken, terms)
      return { message: 'Reauthenticated', authenticatedAt: authenticatedAt.toISOString() }
    },
  }),
]

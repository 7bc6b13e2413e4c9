import Type from 'typebox'
import { defineRoute, type Route } from '../../../platform/http/route.js'
import { AssertionCredential, PasskeyRequest, Success, TypedCodeText } from '../../mfa/index.js'
import { deviceCookie, Session, setSsoCookie } from '../../sessions/index.js'
import type { AccountDeps } from '../deps.js'
import { Password } from '../schema.js'
import { passkeySignInOptions, signInByPasskey } from '../sign-in/sign-in-by-passkey.js'
import { ASSERTION_ERRORS, answer, SIGN_IN_ERRORS, signInRequest } from '../sign-in/sign-in-exchange.js'
import { challengeOptions, completeChallenge } from './complete-challenge.js'
import { disableMfa } from './disable-mfa.js'
import { leaveChallenge } from './leave-challenge.js'
import { reauthenticate, reauthenticationOptions } from './reauthenticate.js'

const tag = 'Second factor'
const MfaToken = Type.String({ maxLength: 512 })
const isBackupCode = Type.Optional(Type.Boolean({ description: 'Whether `code` is a backup code' }))

const CHALLENGE_ERRORS = ['mfa_invalid', 'mfa_expired', ...SIGN_IN_ERRORS, ...ASSERTION_ERRORS]

/** Where a second factor, or a passkey alone, opens something. */
export const factorProofRoutes = (deps: AccountDeps): Route[] => [
  defineRoute({
    method: 'POST',
    path: '/api/v1/auth/mfa/verify-challenge',
    permission: 'public',
    tag,
    summary: 'End a sign-in that waits for its second factor by a code',
    description:
      'A code of an authenticator app is good for one challenge of the account, a backup code once. The fifth wrong answer ends the challenge, and wrong answers count like wrong passwords.',
    body: Type.Object({
      mfaToken: MfaToken,
      code: TypedCodeText('Six digits of an app, or a backup code; spaces and hyphens do not matter'),
      isBackupCode,
    }),
    responses: { 200: Session },
    errors: CHALLENGE_ERRORS,
    handle: async (context) => {
      const { mfaToken, ...typed } = context.body
      const request = signInRequest(context)
      return answer(deps, context.http, request, await completeChallenge(deps, mfaToken, { typed }, request))
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/api/v1/auth/mfa/passkey/challenge/options',
    permission: 'public',
    tag,
    summary: 'What a browser is to ask a passkey that answers a sign-in that waits',
    body: Type.Object({ mfaToken: MfaToken }),
    responses: { 200: PasskeyRequest },
    errors: ['mfa_expired', 'no_passkey'],
    handle: (context) => challengeOptions(deps, context.body.mfaToken, signInRequest(context)),
  }),
  defineRoute({
    method: 'POST',
    path: '/api/v1/auth/mfa/passkey/challenge/verify',
    permission: 'public',
    tag,
    summary: 'End a sign-in that waits for its second factor by a passkey',
    body: Type.Object({ mfaToken: MfaToken, credential: AssertionCredential }),
    responses: { 200: Session },
    errors: CHALLENGE_ERRORS,
    handle: async (context) => {
      const { mfaToken, credential } = context.body
      const request = signInRequest(context)
      return answer(deps, context.http, request, await completeChallenge(deps, mfaToken, { credential }, request))
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/api/v1/auth/mfa/other-team',
    permission: 'public',
    tag,
    summary: 'End a challenge and sign in to another team',
    description:
      'For a user whom a team challenges by a factor that is restricted to it: `mfaOtherTeams` of the challenge lists the other teams. The other team applies its own policies and requires its own factors, so the response may be another challenge. A first step that the team controls opens no other team. Where an unrestricted factor answers the challenge, and in a switch to the team, the response is `second_factor_required`.',
    body: Type.Object({
      mfaToken: MfaToken,
      teamId: Type.Optional(
        Type.String({
          maxLength: 100,
          description: "Without it, the next of the user's teams is opened, or a new one of their own",
        }),
      ),
    }),
    responses: { 200: Session },
    errors: ['mfa_expired', 'invalid_credentials', 'second_factor_required', ...SIGN_IN_ERRORS],
    handle: async (context) => {
      const { mfaToken, teamId } = context.body
      const request = signInRequest(context)
      return answer(deps, context.http, request, await leaveChallenge(deps, mfaToken, teamId, request))
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/api/v1/auth/passkey/options',
    permission: 'public',
    tag,
    summary: 'What a browser is to ask a passkey that signs in by itself; it names no account',
    responses: { 200: PasskeyRequest },
    handle: async () => passkeySignInOptions(deps),
  }),
  defineRoute({
    method: 'POST',
    path: '/api/v1/auth/passkey/verify',
    permission: 'public',
    tag,
    summary: 'Sign in by a passkey alone, without address and password',
    description: 'The passkey must have verified its user; it is then two factors, and none is asked for.',
    body: Type.Object({
      credential: AssertionCredential,
      teamId: Type.Optional(Type.String({ maxLength: 100 })),
      remember: Type.Optional(
        Type.Boolean({ description: 'Cookie mode: whether the cookies outlive the browser; default true' }),
      ),
    }),
    responses: { 200: Session },
    errors: ['passkey_invalid', ...SIGN_IN_ERRORS, 'role_protected'],
    handle: async (context) => {
      const request = signInRequest(context, context.body)
      return answer(deps, context.http, request, await signInByPasskey(deps, context.body, request))
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/api/v1/auth/mfa/disable',
    permission: 'signed-in',
    tag,
    summary: "Remove all of the caller's second factors",
    description:
      'By the answer of a passkey to `POST /auth/reauthenticate/options`; or, in a session that has verified a factor, by the current password, or a recent sign-in of an account without one. A restricted session removes the factors that are restricted to its team, by a recent sign-in.',
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
    method: 'POST',
    path: '/api/v1/auth/reauthenticate/options',
    permission: 'signed-in',
    whileRestricted: ['mfa_enrollment', 'team_mfa_enrollment'],
    tag: 'Sign-in and password',
    summary: 'What a browser is to ask a passkey by which the caller proves once more who they are',
    responses: { 200: PasskeyRequest },
    errors: ['no_passkey'],
    handle: ({ actor }) => reauthenticationOptions(deps, actor),
  }),
  defineRoute({
    method: 'POST',
    path: '/api/v1/auth/reauthenticate',
    permission: 'signed-in',
    whileRestricted: ['mfa_enrollment', 'team_mfa_enrollment'],
    tag: 'Sign-in and password',
    summary: 'Prove once more who the caller is; opens acts that want a recent sign-in for 15 minutes',
    description: 'By the password, a passkey, or a code: one of them.',
    body: Type.Object({
      password: Type.Optional(Password),
      code: Type.Optional(TypedCodeText('Of an authenticator app, or a backup code')),
      isBackupCode,
      credential: Type.Optional(AssertionCredential),
    }),
    responses: { 200: Type.Object({ message: Type.String(), authenticatedAt: Type.String({ format: 'date-time' }) }) },
    errors: ['wrong_password', 'mfa_invalid:403', 'passkey_invalid:403', 'team_sign_in_required'],
    handle: async ({ actor, body, http }) => {
      const { password, code, credential } = body
      const deviceToken = deviceCookie(http)
      const { authenticatedAt, ssoToken, ...terms } = await reauthenticate(deps, actor, {
        password: password === undefined ? undefined : { password, deviceToken },
        typed: code === undefined ? undefined : { code, ...(body.isBackupCode && { isBackupCode: true }) },
        credential,
        deviceToken,
      })
      if (http.ownOrigin) setSsoCookie(http, ssoToken, terms)
      return { message: 'Thank you', authenticatedAt: authenticatedAt.toISOString() }
    },
  }),
]

import Type from 'typebox'
import { timestamp } from '../../../platform/http/schema-parts.js'
import type { RecordedSignIn } from '../model/sign-in-log.js'

const TextMap = () => Type.Unsafe<Record<string, string>>({ type: 'object', additionalProperties: { type: 'string' } })

const Check = Type.Object({
  id: Type.String({ description: 'Stable identifier' }),
  status: Type.String({ description: 'ok, failed or skipped' }),
  expected: Type.Optional(Type.String()),
  found: Type.Optional(Type.String({ description: 'Shortened; from a message that may be forged' })),
  detail: Type.Optional(Type.String()),
  algorithm: Type.Optional(
    Type.String({ description: 'SAML: the algorithm of a rejected signature, as the message names it' }),
  ),
})

export const SignInReport = Type.Object(
  {
    id: Type.String(),
    kind: Type.String({ description: 'sign_in or test' }),
    outcome: Type.Optional(
      Type.String({ description: 'signed_in, challenged (a second factor was requested), refused or would_sign_in' }),
    ),
    error: Type.Optional(Type.String({ description: 'The error code of the rejection' })),
    detail: Type.Optional(Type.String()),
    userId: Type.Optional(Type.String()),
    checks: Type.Array(Check),
    attributes: Type.Object({
      received: Type.Optional(TextMap()),
      mapped: Type.Optional(TextMap()),
    }),
    createdAt: timestamp(),
  },
  { $id: 'SsoSignIn' },
)

export const presentSignIn = (signIn: RecordedSignIn) => ({
  id: signIn.id,
  kind: signIn.kind,
  outcome: signIn.outcome ?? undefined,
  error: signIn.error ?? undefined,
  detail: signIn.detail ?? undefined,
  userId: signIn.userId ?? undefined,
  checks: signIn.checks,
  attributes: signIn.attributes,
  createdAt: signIn.createdAt.toISOString(),
})

export const ProviderReport = Type.Object(
  {
    success: Type.Boolean({ description: 'No check failed' }),
    message: Type.String(),
    checks: Type.Array(
      Type.Object({
        id: Type.String({ description: 'Stable identifier' }),
        status: Type.String({ description: 'ok, warning, failed or skipped' }),
        detail: Type.String(),
        fix: Type.Optional(Type.String({ description: 'How to fix the problem' })),
      }),
    ),
  },
  { $id: 'SsoProviderReport' },
)

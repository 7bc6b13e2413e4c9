import Type from 'typebox'
import { timestamp } from '../../../platform/http/schema-parts.js'
import { MAX_HISTORY } from './password-policy.js'
import type { TeamPasswordPolicy } from './repository.js'

const minLength = (options: object = {}) =>
  Type.Integer({ description: 'Characters, counted as code points after NFKC', ...options })
const maxAgeDays = (options: object = {}) =>
  Type.Integer({ description: 'Days after which a password must be changed at sign-in; 0 = never', ...options })
const historyCount = (options: object = {}) =>
  Type.Integer({
    description: 'Number of passwords, including the current one, that cannot be reused; 0 = none',
    ...options,
  })
const lockoutThreshold = (options: object = {}) =>
  Type.Integer({ description: 'Failed attempts before the account is locked; 0 = never', ...options })
const lockoutDuration = (options: object = {}) =>
  Type.Integer({
    description: 'Minutes in which failures are counted, and for which the account is locked',
    ...options,
  })

/** The rules that a new password must meet. */
export const PasswordRules = Type.Object({
  minLength: minLength(),
  requireUppercase: Type.Boolean(),
  requireLowercase: Type.Boolean(),
  requireNumbers: Type.Boolean(),
  requireSymbols: Type.Boolean(),
  maxAgeDays: maxAgeDays(),
  historyCount: historyCount(),
})

export const PasswordPolicyBody = Type.Object(
  {
    id: Type.String(),
    teamId: Type.String(),
    ...PasswordRules.properties,
    lockoutThreshold: lockoutThreshold(),
    lockoutDuration: lockoutDuration(),
    createdAt: timestamp(),
    updatedAt: timestamp(),
  },
  { $id: 'PasswordPolicy' },
)

export const PutPasswordPolicy = Type.Object({
  minLength: Type.Optional(minLength({ minimum: 8, maximum: 128 })),
  requireUppercase: Type.Optional(Type.Boolean()),
  requireLowercase: Type.Optional(Type.Boolean()),
  requireNumbers: Type.Optional(Type.Boolean()),
  requireSymbols: Type.Optional(Type.Boolean()),
  maxAgeDays: Type.Optional(maxAgeDays({ minimum: 0, maximum: 3_650 })),
  historyCount: Type.Optional(historyCount({ minimum: 0, maximum: MAX_HISTORY })),
  lockoutThreshold: Type.Optional(lockoutThreshold({ minimum: 0, maximum: 1_000 })),
  lockoutDuration: Type.Optional(lockoutDuration({ minimum: 1, maximum: 10_080 })),
})

export const presentPasswordPolicy = ({ createdAt, updatedAt, ...policy }: TeamPasswordPolicy) => ({
  ...policy,
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
})

import Type from 'typebox'
import { timestamp } from '../../platform/http/schema-parts.js'
import { MAX_HISTORY } from './password-policy.js'
import type { TeamPasswordPolicy } from './repository.js'

const MIN_LENGTH = { description: 'Characters, counted as code points after NFKC' }
const MAX_AGE_DAYS = { description: 'Days after which a password must be changed at sign-in; 0 = never' }
const HISTORY_COUNT = { description: 'Number of passwords, including the current one, that cannot be reused; 0 = none' }
const LOCKOUT_THRESHOLD = { description: 'Failed attempts before the account is locked; 0 = never' }
const LOCKOUT_DURATION = { description: 'Minutes in which failures are counted, and for which the account is locked' }

/** The rules that a new password must meet. */
export const PasswordRules = Type.Object({
  minLength: Type.Integer(MIN_LENGTH),
  requireUppercase: Type.Boolean(),
  requireLowercase: Type.Boolean(),
  requireNumbers: Type.Boolean(),
  requireSymbols: Type.Boolean(),
  maxAgeDays: Type.Integer(MAX_AGE_DAYS),
  historyCount: Type.Integer(HISTORY_COUNT),
})

export const PasswordPolicyBody = Type.Object(
  {
    id: Type.String(),
    teamId: Type.String(),
    ...PasswordRules.properties,
    lockoutThreshold: Type.Integer(LOCKOUT_THRESHOLD),
    lockoutDuration: Type.Integer(LOCKOUT_DURATION),
    createdAt: timestamp(),
    updatedAt: timestamp(),
  },
  { $id: 'PasswordPolicy' },
)

export const PutPasswordPolicy = Type.Object({
  minLength: Type.Optional(Type.Integer({ ...MIN_LENGTH, minimum: 8, maximum: 128 })),
  requireUppercase: Type.Optional(Type.Boolean()),
  requireLowercase: Type.Optional(Type.Boolean()),
  requireNumbers: Type.Optional(Type.Boolean()),
  requireSymbols: Type.Optional(Type.Boolean()),
  maxAgeDays: Type.Optional(Type.Integer({ ...MAX_AGE_DAYS, minimum: 0, maximum: 3_650 })),
  historyCount: Type.Optional(Type.Integer({ ...HISTORY_COUNT, minimum: 0, maximum: MAX_HISTORY })),
  lockoutThreshold: Type.Optional(Type.Integer({ ...LOCKOUT_THRESHOLD, minimum: 0, maximum: 1_000 })),
  lockoutDuration: Type.Optional(Type.Integer({ ...LOCKOUT_DURATION, minimum: 1, maximum: 10_080 })),
})

export const presentPasswordPolicy = ({ createdAt, updatedAt, ...policy }: TeamPasswordPolicy) => ({
  ...policy,
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
})

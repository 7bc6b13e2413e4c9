import Type from 'typebox'
import { anyObject, clearable, nullable, oneOf, timestamp } from '../../platform/http/schema-parts.js'
import { DisplayName } from '../settings/index.js'
import type { Policy } from './policy-definition.js'

const PolicyType = oneOf('ACCESS', 'SIGN_ON', 'MFA', 'PASSWORD')
const Effect = oneOf('ALLOW', 'DENY')
const Requirement = oneOf('MFA_REQUIRED', 'MFA_OPTIONAL', 'MFA_NOT_REQUIRED', 'DENY')
const Priority = Type.Integer({ minimum: -2_147_483_648, maximum: 2_147_483_647 })
const Conditions = anyObject({
  description:
    'All must match: `ipRange`, an address or a CIDR block or a list; `geoLocations`, a country code (ISO 3166-1) or a list; `timeWindow`, `{start: "09:00", end: "17:00", days?: ["MON"], timezone?: "Europe/Berlin"}`; any other key, a value or a list, is compared with that key of the context. See docs/guides/policies.md.',
})

const Rule = Type.Object({
  id: clearable(Type.String({ minLength: 1, maxLength: 100, description: 'Generated if left out' })),
  name: clearable(DisplayName),
  conditions: clearable(Conditions),
  requirement: Requirement,
  priority: clearable(Priority),
})

const resource = Type.String({
  minLength: 1,
  maxLength: 500,
  description: 'A pattern: `*` matches any sequence of characters including separators; anchored at both ends',
})
const actions = Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
  maxItems: 100,
  description: 'At least one; case-sensitive; `["*"]` means every action',
})
const choices = {
  description: clearable(Type.String({ maxLength: 500 })),
  effect: Type.Optional(Effect),
  conditions: clearable(Conditions),
  rules: clearable(Type.Array(Rule, { maxItems: 50, description: 'For SIGN_ON and MFA' })),
  priority: Type.Optional(Priority),
  enabled: Type.Optional(Type.Boolean()),
}

/** The type cannot change: an update must not silently remove a policy from access decisions. */
export const CreatePolicy = Type.Object({
  name: DisplayName,
  resource,
  actions,
  type: Type.Optional(PolicyType),
  ...choices,
})
export const UpdatePolicy = Type.Object({
  name: Type.Optional(DisplayName),
  resource: Type.Optional(resource),
  actions: Type.Optional(actions),
  ...choices,
})

export const PolicyQuery = Type.Object({ type: Type.Optional(PolicyType) })

export const PolicyBody = Type.Object(
  {
    id: Type.String(),
    teamId: Type.String(),
    name: Type.String(),
    description: nullable(Type.String()),
    type: PolicyType,
    effect: Effect,
    resource: Type.String(),
    actions: Type.Array(Type.String()),
    rules: Type.Array(
      Type.Object({
        id: Type.String(),
        name: Type.Optional(Type.String()),
        conditions: anyObject(),
        requirement: Type.String(),
        priority: Type.Integer(),
      }),
    ),
    conditions: anyObject(),
    priority: Type.Integer(),
    enabled: Type.Boolean(),
    createdAt: timestamp(),
    updatedAt: timestamp(),
  },
  { $id: 'Policy' },
)

export const presentPolicy = ({ organizationId, createdAt, updatedAt, ...policy }: Policy) => ({
  ...policy,
  teamId: organizationId,
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
})

import Type from 'typebox'
import { clearable, oneOf, timestamp } from '../../../platform/http/schema-parts.js'
import type { Considered } from '../../../protocols/policy/index.js'
import { CreatePolicy } from '../schema.js'
import type { EvaluationResult } from './evaluate-access.js'

export const Draft = Type.Object(
  {
    id: clearable(Type.String({ maxLength: 100, description: 'ID of the policy to replace' })),
    ...CreatePolicy.properties,
  },
  { description: 'An unsaved policy; this request does not save it' },
)

const Context = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  maxProperties: 100,
  additionalProperties: true,
  description:
    'Attributes of the request; the team can add any keys. At most 16,384 characters of JSON, lists of at most 100 items',
  properties: {
    ipAddress: {
      type: ['string', 'null'],
      description: 'Default: that of this request, if the caller evaluates for themselves',
    },
    userAgent: { type: ['string', 'null'], description: 'Default: like `ipAddress`' },
    geoLocation: { type: ['string', 'null'], description: 'A country code, `DE`, or a subdivision, `US-CA`' },
    timestamp: { type: ['string', 'null'], description: 'ISO 8601; UTC without a zone. Default: now' },
  },
})

export const Evaluate = Type.Object({
  resource: Type.String({ minLength: 1, maxLength: 2_000 }),
  action: Type.String({ minLength: 1, maxLength: 200 }),
  userId: clearable(Type.String({ description: 'A member of the team; default: the caller' })),
  agentId: clearable(Type.String({ description: 'An agent: an application of the team with `isAiAgent`' })),
  context: clearable(Context),
  explain: Type.Optional(Type.Boolean({ description: 'Also explains for every policy why it matched or not' })),
  draft: Type.Optional(Draft),
})
export const EvaluateQuery = Type.Object({ explain: Type.Optional(Type.Boolean()) })

const matched = {
  id: Type.String({ description: '`draft` for a draft without an ID' }),
  name: Type.String(),
  effect: Type.String({ description: 'ALLOW or DENY' }),
  priority: Type.Integer(),
  draft: Type.Optional(Type.Literal(true)),
}

export const Evaluation = Type.Object(
  {
    decision: oneOf('ALLOW', 'DENY'),
    matchedPolicy: Type.Optional(Type.Object(matched, { description: 'Absent if no policy matched' })),
    reason: Type.String(),
    draft: Type.Optional(Type.Literal(true, { description: 'Present if a draft was included' })),
    considered: Type.Optional(
      Type.Array(
        Type.Object({
          ...matched,
          matched: Type.Boolean(),
          failed: Type.Array(Type.String(), {
            description: 'Failed checks: `enabled`, `resource`, `actions`, `conditions.<key>`',
          }),
          reason: Type.String(),
        }),
        { description: 'With `explain`: every ACCESS policy, in the order of evaluation' },
      ),
    ),
  },
  { $id: 'Evaluation' },
)

export const Replay = Type.Object({
  draft: Draft,
  days: Type.Optional(Type.Integer({ minimum: 1, maximum: 90, description: 'Default 7' })),
})

export type ReplayReport = Type.Static<typeof ReplayReport>
export const ReplayReport = Type.Object(
  {
    evaluated: Type.Integer({ description: 'Number of replayed decisions' }),
    skipped: Type.Integer({
      description: 'Evaluations of drafts, and those whose context was too large to be recorded',
    }),
    truncated: Type.Boolean({ description: 'Whether older decisions were left out' }),
    changedTotal: Type.Integer(),
    changed: Type.Array(
      Type.Object({
        auditId: Type.String(),
        at: timestamp(),
        resource: Type.String(),
        action: Type.String(),
        from: Type.String({ description: 'With the current policies' }),
        to: Type.String({ description: 'With the draft included' }),
      }),
      { description: 'The newest 100' },
    ),
  },
  { $id: 'PolicyReplay' },
)

/** The policy in a response, marked if it is the draft. */
const summary = ({ id, name, effect, priority }: Considered['policy'], draft: boolean) => ({
  id,
  name,
  effect,
  priority,
  ...(draft && { draft: true }),
})

function reasonOf({ decision, matched }: EvaluationResult): string {
  if (!matched) return 'No policy matched; access is denied by default'
  const policy = `the policy “${matched.name}” (priority ${matched.priority})`
  return decision === 'DENY'
    ? `Denied by ${policy}; a matching DENY overrides every ALLOW`
    : `Allowed by ${policy}; no DENY policy matched`
}

export const presentEvaluation = (result: EvaluationResult) => ({
  decision: result.decision,
  ...(result.matched && { matchedPolicy: summary(result.matched, result.matchedDraft) }),
  reason: reasonOf(result),
  ...(result.draft && { draft: true }),
  ...(result.considered && {
    considered: result.considered.map(({ policy, draft, ...checks }) => ({ ...summary(policy, draft), ...checks })),
  }),
})

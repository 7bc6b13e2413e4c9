import type { Considered, Decision } from '../../../protocols/policy/index.js'
import type { EvaluationResult } from './evaluate-access.js'
import type { ReplayResult } from './replay-evaluations.js'

type Named = Pick<NonNullable<Decision['matched']>, 'id' | 'name' | 'effect' | 'priority'>

const summary = ({ id, name, effect, priority }: Named) => ({ id, name, effect, priority })

function reasonOf({ decision, matched }: Decision): string {
  if (!matched) return 'No policy matched; access is denied by default'
  const policy = `the policy “${matched.name}” (priority ${matched.priority})`
  return decision === 'DENY'
    ? `Denied by ${policy}; a matching DENY overrides every ALLOW`
    : `Allowed by ${policy}; no DENY policy matched`
}

const presentConsidered = ({ policy, draft, matched, failed, reason }: Considered) => ({
  ...summary(policy),
  ...(draft && { draft: true }),
  matched,
  failed,
  reason,
})

export const presentEvaluation = ({ decision, matched, matchedDraft, draft, considered }: EvaluationResult) => ({
  decision,
  ...(matched && { matchedPolicy: { ...summary(matched), ...(matchedDraft && { draft: true }) } }),
  reason: reasonOf({ decision, matched }),
  ...(draft && { draft: true }),
  ...(considered && { considered: considered.map(presentConsidered) }),
})

export const presentReplay = ({ changed, ...counts }: ReplayResult) => ({
  ...counts,
  changed: changed.map(({ entry, ...decision }) => ({
    auditId: entry.id,
    at: entry.createdAt.toISOString(),
    ...decision,
  })),
})

import { declaredFields } from '../../../platform/http/declared-fields.js'
import { defineRoute, type Route } from '../../../platform/http/route.js'
import type { PolicyDeps } from '../manage-policies.js'
import { evaluateAccess } from './evaluate-access.js'
import { replayEvaluations } from './replay-evaluations.js'
import { Draft, Evaluate, EvaluateQuery, Evaluation, presentEvaluation, Replay, ReplayReport } from './schema.js'

const tag = 'Policies'
const ALL = '/api/v1/policies'

export const evaluationRoutes = (deps: PolicyDeps): Route[] => [
  defineRoute({
    method: 'POST',
    path: `${ALL}/evaluate`,
    permission: 'policies:evaluate',
    tag,
    summary: 'Decide whether an access is allowed',
    description:
      'Evaluates the enabled ACCESS policies. DENY overrides ALLOW; without a matching policy access is denied. Every evaluation is recorded in the audit log.',
    query: EvaluateQuery,
    body: Evaluate,
    responses: { 200: Evaluation },
    errors: ['user_not_found', 'application_not_found', 'organization_not_found'],
    handle: async ({ actor, query, body }) =>
      presentEvaluation(
        await evaluateAccess(deps, actor, {
          ...body,
          explain: body.explain ?? query.explain ?? false,
          draft: body.draft && declaredFields(body.draft, Draft),
        }),
      ),
  }),
  defineRoute({
    method: 'POST',
    path: `${ALL}/replay`,
    permission: 'policies:evaluate',
    tag,
    summary: 'Replay past decisions with an unsaved policy',
    description:
      'Evaluates the decisions of the last days again, at most the newest 10,000: with the current policies, and with the draft included. Changes nothing.',
    body: Replay,
    responses: { 200: ReplayReport },
    errors: ['organization_not_found'],
    handle: ({ actor, body }) =>
      replayEvaluations(deps, actor, { days: body.days, draft: declaredFields(body.draft, Draft) }),
  }),
]

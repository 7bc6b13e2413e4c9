import Type from 'typebox'
import { declaredFields } from '../../platform/http/declared-fields.js'
import { defineRoute, type Route } from '../../platform/http/route.js'
import { createPolicy } from './create-policy.js'
import { deletePolicy } from './delete-policy.js'
import type { PolicyDeps } from './deps.js'
import { evaluateAccess } from './evaluate-access.js'
import { presentEvaluation, presentReplay } from './evaluation-presenters.js'
import { Evaluate, EvaluateQuery, Evaluation, Replay, ReplayReport } from './evaluation-schema.js'
import { listPolicies, readPolicy } from './queries.js'
import { replayEvaluations } from './replay-evaluations.js'
import { CreatePolicy, PolicyBody, PolicyQuery, presentPolicy, UpdatePolicy } from './schema.js'
import { updatePolicy } from './update-policy.js'

const tag = 'Policies'
const ALL = '/api/v1/policies'
const ONE = '/api/v1/policies/:policyId'
const params = Type.Object({ policyId: Type.String() })
const draftFields = { id: true, ...CreatePolicy.properties }

export const policyRoutes = (deps: PolicyDeps): Route[] => [
  defineRoute({
    method: 'POST',
    path: ALL,
    permission: 'policies:write',
    tag,
    summary: 'Make a policy',
    description: 'It decides from the next evaluation on, on every node.',
    body: CreatePolicy,
    responses: { 201: PolicyBody },
    errors: ['limit_reached', 'organization_not_found'],
    handle: async ({ actor, body }) =>
      presentPolicy(await createPolicy(deps, actor, declaredFields(body, CreatePolicy))),
  }),
  defineRoute({
    method: 'GET',
    path: ALL,
    permission: 'policies:read',
    tag,
    summary: "The team's policies in the order of evaluation",
    description: 'By priority, the highest first; of one priority the oldest first.',
    query: PolicyQuery,
    responses: { 200: Type.Object({ data: Type.Array(PolicyBody) }) },
    handle: async ({ actor, query }) => ({ data: (await listPolicies(deps, actor, query.type)).map(presentPolicy) }),
  }),
  defineRoute({
    method: 'GET',
    path: ONE,
    permission: 'policies:read',
    tag,
    summary: 'One policy',
    params,
    responses: { 200: PolicyBody },
    errors: ['policy_not_found'],
    handle: async ({ actor, params }) => presentPolicy(await readPolicy(deps, actor, params.policyId)),
  }),
  defineRoute({
    method: 'PUT',
    path: ONE,
    permission: 'policies:write',
    tag,
    summary: 'Change a policy; only what is given changes',
    description: 'It decides as it is now from the next evaluation on, on every node.',
    params,
    body: UpdatePolicy,
    responses: { 200: PolicyBody },
    errors: ['policy_not_found', 'limit_reached', 'organization_not_found'],
    handle: async ({ actor, params, body }) =>
      presentPolicy(await updatePolicy(deps, actor, params.policyId, declaredFields(body, UpdatePolicy))),
  }),
  defineRoute({
    method: 'DELETE',
    path: ONE,
    permission: 'policies:write',
    tag,
    summary: 'Delete a policy for good',
    params,
    responses: { 200: Type.Object({ message: Type.String() }) },
    errors: ['policy_not_found', 'organization_not_found'],
    handle: async ({ actor, params }) => {
      await deletePolicy(deps, actor, params.policyId)
      return { message: 'The policy was deleted' }
    },
  }),
  defineRoute({
    method: 'POST',
    path: `${ALL}/evaluate`,
    permission: 'policies:evaluate',
    tag,
    summary: 'Decide whether an access is allowed',
    description:
      'By the ACCESS policies that are enabled. Deny overrides; what no policy matches is denied. Every evaluation leaves an audit entry.',
    query: EvaluateQuery,
    body: Evaluate,
    responses: { 200: Evaluation },
    errors: ['user_not_found', 'application_not_found', 'organization_not_found'],
    handle: async ({ actor, query, body }) =>
      presentEvaluation(
        await evaluateAccess(deps, actor, {
          ...body,
          explain: body.explain ?? query.explain ?? false,
          draft: body.draft && declaredFields(body.draft, { properties: draftFields }),
        }),
      ),
  }),
  defineRoute({
    method: 'POST',
    path: `${ALL}/replay`,
    permission: 'policies:evaluate',
    tag,
    summary: 'Which past decisions an unsaved policy would change',
    description:
      "Makes the team's evaluations of the last days again, the newest 10,000 at most: by today's policies, and with the draft among them. Nothing is changed.",
    body: Replay,
    responses: { 200: ReplayReport },
    errors: ['organization_not_found'],
    handle: async ({ actor, body }) =>
      presentReplay(
        await replayEvaluations(deps, actor, {
          days: body.days,
          draft: declaredFields(body.draft, { properties: draftFields }),
        }),
      ),
  }),
]

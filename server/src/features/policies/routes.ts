import Type from 'typebox'
import { declaredFields } from '../../platform/http/declared-fields.js'
import { defineRoute, type Route } from '../../platform/http/route.js'
import { Message } from '../../platform/http/schema-parts.js'
import { evaluationRoutes } from './evaluation/routes.js'
import {
  createPolicy,
  deletePolicy,
  listPolicies,
  type PolicyDeps,
  readPolicy,
  updatePolicy,
} from './manage-policies.js'
import { CreatePolicy, PolicyBody, PolicyQuery, presentPolicy, UpdatePolicy } from './schema.js'

const tag = 'Policies'
const ALL = { path: '/api/v1/policies', tag } as const
const ONE = { path: '/api/v1/policies/:policyId', params: Type.Object({ policyId: Type.String() }), tag } as const

export const policyRoutes = (deps: PolicyDeps): Route[] => [
  defineRoute({
    ...ALL,
    method: 'POST',
    permission: 'policies:write',
    summary: 'Create a policy',
    description: 'Effective on the next evaluation, on every node.',
    body: CreatePolicy,
    responses: { 201: PolicyBody },
    errors: ['limit_reached', 'organization_not_found'],
    handle: async ({ actor, body }) =>
      presentPolicy(await createPolicy(deps, actor, declaredFields(body, CreatePolicy))),
  }),
  defineRoute({
    ...ALL,
    method: 'GET',
    permission: 'policies:read',
    summary: "List the team's policies in the order of evaluation",
    description: 'Sorted by descending priority; policies of the same priority oldest first.',
    query: PolicyQuery,
    responses: { 200: Type.Object({ data: Type.Array(PolicyBody) }) },
    handle: async ({ actor, query }) => ({ data: (await listPolicies(deps, actor, query.type)).map(presentPolicy) }),
  }),
  defineRoute({
    ...ONE,
    method: 'GET',
    permission: 'policies:read',
    summary: 'Get a policy',
    responses: { 200: PolicyBody },
    errors: ['policy_not_found'],
    handle: async ({ actor, params }) => presentPolicy(await readPolicy(deps, actor, params.policyId)),
  }),
  defineRoute({
    ...ONE,
    method: 'PUT',
    permission: 'policies:write',
    summary: 'Update a policy; fields that are left out do not change',
    description: 'Effective on the next evaluation, on every node.',
    body: UpdatePolicy,
    responses: { 200: PolicyBody },
    errors: ['policy_not_found', 'limit_reached', 'organization_not_found'],
    handle: async ({ actor, params, body }) =>
      presentPolicy(await updatePolicy(deps, actor, params.policyId, declaredFields(body, UpdatePolicy))),
  }),
  defineRoute({
    ...ONE,
    method: 'DELETE',
    permission: 'policies:write',
    summary: 'Delete a policy permanently',
    responses: { 200: Message },
    errors: ['policy_not_found', 'organization_not_found'],
    handle: async ({ actor, params }) => {
      await deletePolicy(deps, actor, params.policyId)
      return { message: 'The policy was deleted' }
    },
  }),
  ...evaluationRoutes(deps),
]

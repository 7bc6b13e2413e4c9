import { declaredFields } from '../../platform/http/declared-fields.js'
import { defineRoute, type Route } from '../../platform/http/route.js'
import { type PasswordPolicyDeps, readPasswordPolicy, updatePasswordPolicy } from './manage-password-policy.js'
import { PasswordPolicyBody, PutPasswordPolicy, presentPasswordPolicy } from './schema.js'

const tag = 'Policies'
const path = '/api/v1/policies/password'

export const passwordPolicyRoutes = (deps: PasswordPolicyDeps): Route[] => [
  defineRoute({
    method: 'GET',
    path,
    permission: 'policies:read',
    tag,
    summary: "Get the team's password policy; the first request creates it",
    responses: { 200: PasswordPolicyBody },
    errors: ['organization_not_found'],
    handle: async ({ actor }) => presentPasswordPolicy(await readPasswordPolicy(deps, actor)),
  }),
  defineRoute({
    method: 'PUT',
    path,
    permission: 'policies:write',
    tag,
    summary: "Update the team's password policy; fields that are left out do not change",
    description: 'Effective on the next request, on every node. Existing passwords stay valid.',
    body: PutPasswordPolicy,
    responses: { 200: PasswordPolicyBody },
    errors: ['organization_not_found'],
    handle: async ({ actor, body }) =>
      presentPasswordPolicy(await updatePasswordPolicy(deps, actor, declaredFields(body, PutPasswordPolicy))),
  }),
]

import { declaredFields } from '../../platform/http/declared-fields.js'
import { defineRoute, type Route } from '../../platform/http/route.js'
import type { PasswordPolicyDeps } from './password-policy-deps.js'
import { readPasswordPolicy } from './password-policy-read.js'
import { PasswordPolicyBody, PutPasswordPolicy, presentPasswordPolicy } from './password-policy-schema.js'
import { updatePasswordPolicy } from './password-policy-update.js'

const tag = 'Policies'
const path = '/api/v1/policies/password'

export const passwordPolicyRoutes = (deps: PasswordPolicyDeps): Route[] => [
  defineRoute({
    method: 'GET',
    path,
    permission: 'policies:read',
    tag,
    summary: "The team's password policy; made when it is first asked for",
    responses: { 200: PasswordPolicyBody },
    errors: ['organization_not_found'],
    handle: async ({ actor }) => presentPasswordPolicy(await readPasswordPolicy(deps, actor)),
  }),
  defineRoute({
    method: 'PUT',
    path,
    permission: 'policies:write',
    tag,
    summary: "Change the team's password policy; only what is given changes",
    description: 'Holds from the next request on, on every node. Passwords that were set before stay good.',
    body: PutPasswordPolicy,
    responses: { 200: PasswordPolicyBody },
    errors: ['organization_not_found'],
    handle: async ({ actor, body }) =>
      presentPasswordPolicy(await updatePasswordPolicy(deps, actor, declaredFields(body, PutPasswordPolicy))),
  }),
]

import Type from 'typebox'
import { defineRoute, type Route } from '../../../platform/http/route.js'
import type { OidcProviderDeps } from '../model/deps.js'
import { checkAccess } from './check-access.js'

const Named = Type.Object({ id: Type.String(), name: Type.String() })

const Check = Type.Object({
  check: Type.String({
    description: 'team, membership, application, assignment, sign_in_policy, application_policy or mfa',
  }),
  passed: Type.Boolean(),
  code: Type.String({
    description:
      'team: active, suspended. membership: pending (until the first sign-in), active, suspended. application: active, stopped, without_sign_in. assignment: everyone, direct, group, not_assigned. Policies: no_policy, allowed, denied. mfa: not_required, required, enrollment_required',
  }),
  groups: Type.Optional(
    Type.Array(Named, { description: 'The groups that assign the application; only with groups:read' }),
  ),
  requirement: Type.Optional(
    Type.Union([Type.String(), Type.Null()], {
      description: 'The requirement of the deciding rule, such as MFA_REQUIRED',
    }),
  ),
  policy: Type.Optional(
    Type.Union([Named, Type.Null()], { description: 'The policy that decided; only with policies:read' }),
  ),
})

const AccessBody = Type.Object(
  {
    userId: Type.String(),
    applicationId: Type.String(),
    allowed: Type.Boolean({ description: 'Whether every check passes' }),
    checks: Type.Array(Check, { description: 'In the order of a sign-in' }),
  },
  { $id: 'Access' },
)

export const accessRoutes = (deps: OidcProviderDeps): Route[] => [
  defineRoute({
    method: 'GET',
    path: '/api/v1/users/:id/access',
    permission: 'users:read',
    tag: 'Users',
    summary: 'Explain whether a user may open an application',
    description:
      'Evaluates the membership, the assignment and the policies as a sign-in does. Also requires applications:read, and for `ipAddress` and `method` policies:read. Conditions on unknown attributes of the sign-in (risk score, known device, user agent) do not match. The account and its sessions are not evaluated.',
    params: Type.Object({ id: Type.String() }),
    query: Type.Object({
      application: Type.Optional(
        Type.String({ maxLength: 100, description: 'Required: ID of an application of the team' }),
      ),
      ipAddress: Type.Optional(
        Type.String({ maxLength: 45, description: 'IP address of the sign-in; its country is derived from it' }),
      ),
      method: Type.Optional(Type.String({ maxLength: 50, description: 'Sign-in method; default password' })),
    }),
    responses: { 200: AccessBody },
    errors: ['user_not_found', 'application_not_found'],
    handle: ({ actor, params, query }) => checkAccess(deps, actor, params.id, query),
  }),
]

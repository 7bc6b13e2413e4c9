import Type from 'typebox'
import { declaredFields } from '../../../platform/http/declared-fields.js'
import { defineRoute, type Route } from '../../../platform/http/route.js'
import { APPLICATION_ERRORS, applicationParams, CONFIG, Deleted, listRoute, TAG } from '../application-routes.js'
import type { OidcConfigDeps } from '../deps.js'
import { createRule, deleteRule, updateRule } from './change-rules.js'
import { testRule } from './compiled-rule.js'
import { CreateRule, presentRule, RuleBody, RuleOutcome, TestRule, UpdateRule } from './rule-schema.js'

const tag = TAG
const params = applicationParams
const one = Type.Object({ appId: Type.String(), ruleId: Type.String() })
const ALL = `${CONFIG}/regex-rules`
const ONE = `${ALL}/:ruleId`

export const ruleRoutes = (deps: OidcConfigDeps): Route[] => [
  defineRoute({
    method: 'POST',
    path: ALL,
    permission: 'oidc-config:write',
    tag,
    summary: 'Add a rule',
    params,
    body: CreateRule,
    responses: { 201: RuleBody },
    errors: [...APPLICATION_ERRORS, 'limit_reached'],
    handle: async ({ actor, params, body }) =>
      presentRule(await createRule(deps, actor, params.appId, declaredFields(body, CreateRule))),
  }),
  listRoute(deps, {
    path: ALL,
    summary: 'List the rules of an application',
    item: RuleBody,
    select: ({ regexRules }) => regexRules.map(presentRule),
  }),
  defineRoute({
    method: 'POST',
    path: `${ALL}/test`,
    permission: 'oidc-config:read',
    tag,
    summary: 'Test a rule on a string',
    description: 'Saves nothing. The error for a rule that does not compile contains the position.',
    params,
    body: TestRule,
    responses: { 200: RuleOutcome },
    errors: APPLICATION_ERRORS,
    handle: ({ actor, params, body }) => testRule(deps, actor, params.appId, declaredFields(body, TestRule)),
  }),
  defineRoute({
    method: 'PUT',
    path: ONE,
    permission: 'oidc-config:write',
    tag,
    summary: 'Change the given fields of a rule',
    params: one,
    body: UpdateRule,
    responses: { 200: RuleBody },
    errors: [...APPLICATION_ERRORS, 'rule_not_found'],
    handle: async ({ actor, params, body }) =>
      presentRule(await updateRule(deps, actor, params.appId, params.ruleId, declaredFields(body, UpdateRule))),
  }),
  defineRoute({
    method: 'DELETE',
    path: ONE,
    permission: 'oidc-config:write',
    tag,
    summary: 'Delete a rule',
    params: one,
    responses: { 200: Deleted },
    errors: [...APPLICATION_ERRORS, 'rule_not_found', 'rule_in_use'],
    handle: async ({ actor, params }) => ({
      deleted: true,
      id: await deleteRule(deps, actor, params.appId, params.ruleId),
    }),
  }),
]

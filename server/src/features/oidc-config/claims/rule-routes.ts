import Type from 'typebox'
import { declaredFields } from '../../../platform/http/declared-fields.js'
import { defineRoute, type Route } from '../../../platform/http/route.js'
import { Deleted } from '../deleted.js'
import type { OidcConfigDeps } from '../deps.js'
import { readConfiguration } from '../queries.js'
import { createRule, deleteRule, updateRule } from './change-rules.js'
import { testRule } from './compiled-rule.js'
import { CreateRule, presentRule, RuleBody, RuleOutcome, Rules, TestRule, UpdateRule } from './rule-schema.js'

const tag = 'OIDC configuration'
const params = Type.Object({ appId: Type.String() })
const one = Type.Object({ appId: Type.String(), ruleId: Type.String() })
const ALL = '/api/v1/applications/:appId/oidc-config/regex-rules'
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
    errors: ['application_not_found', 'application_not_oidc', 'limit_reached'],
    handle: async ({ actor, params, body }) =>
      presentRule(await createRule(deps, actor, params.appId, declaredFields(body, CreateRule))),
  }),
  defineRoute({
    method: 'GET',
    path: ALL,
    permission: 'oidc-config:read',
    tag,
    summary: 'List the rules of an application',
    params,
    responses: { 200: Rules },
    errors: ['application_not_found', 'application_not_oidc'],
    handle: async ({ actor, params }) => ({
      data: (await readConfiguration(deps, actor, params.appId)).regexRules.map(presentRule),
    }),
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
    errors: ['application_not_found', 'application_not_oidc'],
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
    errors: ['application_not_found', 'application_not_oidc', 'rule_not_found'],
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
    errors: ['application_not_found', 'application_not_oidc', 'rule_not_found', 'rule_in_use'],
    handle: async ({ actor, params }) => ({
      deleted: true,
      id: await deleteRule(deps, actor, params.appId, params.ruleId),
    }),
  }),
]

import { declaredFields } from '../../../platform/http/declared-fields.js'
import { defineRoute, type Route } from '../../../platform/http/route.js'
import { APPLICATION_ERRORS, CONFIG, partRoutes, READ } from '../application-routes.js'
import type { OidcConfigDeps } from '../deps.js'
import { readConfiguration } from '../queries.js'
import { ATTRIBUTES } from './attributes.js'
import { createClaim, deleteClaim, updateClaim } from './change-claims.js'
import { createRule, deleteRule, updateRule } from './change-rules.js'
import { testRule } from './compiled-rule.js'
import {
  Attributes,
  ClaimBody,
  CreateClaim,
  CreateRule,
  presentClaim,
  presentRule,
  RuleBody,
  RuleOutcome,
  TestRule,
  UpdateClaim,
  UpdateRule,
} from './schema.js'

const CLAIMS = `${CONFIG}/claims`
const RULES = `${CONFIG}/regex-rules`

/** The claims of an application, and the rules that transform their values. */
export const claimRoutes = (deps: OidcConfigDeps): Route[] => [
  ...partRoutes(deps, {
    noun: 'claim',
    path: CLAIMS,
    id: 'claimId',
    body: ClaimBody,
    select: ({ claims }) => claims,
    present: presentClaim,
    create: { body: CreateClaim, errors: ['claim_exists', 'limit_reached'], run: createClaim },
    update: { body: UpdateClaim, errors: ['claim_not_found', 'claim_exists'], run: updateClaim },
    remove: { errors: ['claim_not_found'], run: deleteClaim },
    others: [attributesRoute(deps)],
  }),
  ...partRoutes(deps, {
    noun: 'rule',
    path: RULES,
    id: 'ruleId',
    body: RuleBody,
    select: ({ regexRules }) => regexRules,
    present: presentRule,
    create: { body: CreateRule, errors: ['limit_reached'], run: createRule },
    update: { body: UpdateRule, errors: ['rule_not_found'], run: updateRule },
    remove: { errors: ['rule_not_found', 'rule_in_use'], run: deleteRule },
    others: [testRoute(deps)],
  }),
]

const attributesRoute = (deps: OidcConfigDeps): Route =>
  defineRoute({
    ...READ,
    method: 'GET',
    path: `${CLAIMS}/attributes`,
    summary: 'List the user attributes that a claim can contain',
    responses: { 200: Attributes },
    errors: APPLICATION_ERRORS,
    handle: async ({ actor, params }) => {
      await readConfiguration(deps, actor, params.appId)
      const data = Object.entries(ATTRIBUTES).map(([name, { description, type }]) => ({ name, description, type }))
      return { data }
    },
  })

const testRoute = (deps: OidcConfigDeps): Route =>
  defineRoute({
    ...READ,
    method: 'POST',
    path: `${RULES}/test`,
    summary: 'Test a rule on a string',
    description: 'Saves nothing. The error for a rule that does not compile contains the position.',
    body: TestRule,
    responses: { 200: RuleOutcome },
    errors: APPLICATION_ERRORS,
    handle: ({ actor, params, body }) => testRule(deps, actor, params.appId, declaredFields(body, TestRule)),
  })

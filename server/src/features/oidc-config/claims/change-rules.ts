import { uuidv7 } from '../../../platform/crypto/random.js'
import type { Actor } from '../../../platform/http/actor.js'
import type { RegexRuleId } from '../../../platform/ids.js'
import type { RuleSource } from '../../../protocols/claim-rules/index.js'
import { changeConfiguration, changedFields, rejectBeyond, requireEntry } from '../change-configuration.js'
import type { OidcConfigDeps } from '../deps.js'
import { rejection } from '../errors.js'
import { compiledRule } from './compiled-rule.js'
import { claimRepository, type RegexRule, ruleRepository } from './repository.js'

/** Compiling all rules of an application takes at most about 100 ms. */
const MAX_RULES = 40

export type RuleInput = { name: string } & Omit<RuleSource, 'flags'> & { flags?: string }

/** @throws application_not_found, application_not_oidc, limit_reached, invalid_request for a rule that does not compile */
export function createRule(deps: OidcConfigDeps, actor: Actor, appId: string, wanted: RuleInput): Promise<RegexRule> {
  const { name, pattern, replacement, flags = '' } = wanted
  return changeConfiguration(deps, actor, appId, async ({ tx, application, record }) => {
    compiledRule({ pattern, replacement, flags })
    const repository = ruleRepository(tx, application.id)
    rejectBeyond(MAX_RULES, (await repository.list()).length, 'rules')
    const rule: RegexRule = {
      id: uuidv7(deps.clock),
      name: name.trim(),
      pattern,
      replacement,
      flags,
      createdAt: deps.clock.now(),
    }
    await repository.insert(rule)
    await record('regex_rule.created', { rule: rule.name })
    return rule
  })
}

/** Changes the given fields. @throws application_not_found, application_not_oidc, rule_not_found, invalid_request */
export function updateRule(
  deps: OidcConfigDeps,
  actor: Actor,
  appId: string,
  ruleId: string,
  change: Partial<RuleInput>,
): Promise<RegexRule> {
  return changeConfiguration(deps, actor, appId, async ({ tx, application, record }) => {
    const repository = ruleRepository(tx, application.id)
    const before = requireEntry(await repository.list(), ruleId, 'rule_not_found')
    const after = { ...before, ...change, name: (change.name ?? before.name).trim() }
    const changed = changedFields(before, after)
    if (changed.length === 0) return before
    compiledRule(after)
    await repository.update(after)
    await record('regex_rule.updated', { rule: after.name, changed })
    return after
  })
}

/** @throws application_not_found, application_not_oidc, rule_not_found, rule_in_use */
export function deleteRule(deps: OidcConfigDeps, actor: Actor, appId: string, ruleId: string): Promise<RegexRuleId> {
  return changeConfiguration(deps, actor, appId, async ({ tx, application, record }) => {
    const repository = ruleRepository(tx, application.id)
    const { id, name } = requireEntry(await repository.list(), ruleId, 'rule_not_found')
    const users = (await claimRepository(tx, application.id).list()).filter(({ regexRuleId }) => regexRuleId === id)
    if (users.length > 0)
      throw rejection('rule_in_use', { detail: `Used by ${users.map((claim) => claim.name).join(', ')}` })
    await repository.delete(id)
    await record('regex_rule.deleted', { rule: name })
    return id
  })
}

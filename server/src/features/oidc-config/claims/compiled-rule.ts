import type { Actor } from '../../../platform/http/actor.js'
import {
  type CompiledRule,
  compileRule,
  createRuleCache,
  type RuleSource,
} from '../../../protocols/claim-rules/index.js'
import { findOidcApplication } from '../change-configuration.js'
import type { OidcConfigDeps } from '../deps.js'
import { invalidFields } from '../errors.js'

/**
 * One cache for all teams of a node. Compiling is a pure function of the rule, so it discloses nothing between teams. Unsaved rules bypass
 * the cache, so that tests evict no stored rule.
 */
const storedRules = createRuleCache()

const INVALID_RULE: CompiledRule = { instructions: 0, apply: () => undefined }

/** Returns a stored rule. A rule that no longer compiles omits its claim instead of returning the unchanged value. */
export function storedRule(text: RuleSource): CompiledRule {
  const outcome = storedRules(text)
  return 'rule' in outcome ? outcome.rule : INVALID_RULE
}

/** Compiles a rule of a request. @throws invalid_request with the field and, in the message, the position */
export function compiledRule(text: RuleSource): CompiledRule {
  const compiled = compileRule(text)
  if ('rule' in compiled) return compiled.rule
  const { field, message } = compiled.fault
  throw invalidFields({ path: `/${field}`, message })
}

/**
 * Applies an unsaved rule to a string.
 * @throws application_not_found, application_not_oidc, invalid_request for a rule that does not compile or exceeds the limits of a token
 */
export async function testRule(
  { db }: OidcConfigDeps,
  actor: Actor,
  appId: string,
  { input, pattern, replacement, flags = '' }: Omit<RuleSource, 'flags'> & { flags?: string; input: string },
): Promise<{ matched: boolean; result: string }> {
  await db.transaction((tx) => findOidcApplication(tx, actor.teamId, appId))
  const outcome = compiledRule({ pattern, replacement, flags }).apply(input)
  const message = 'takes too much work, or results in more than 4096 characters: the claim would be omitted'
  if (!outcome) throw invalidFields({ path: '/input', message })
  return outcome
}

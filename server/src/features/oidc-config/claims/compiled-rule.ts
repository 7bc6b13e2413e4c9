import { rejection } from '../../../platform/errors.js'
import type { Actor } from '../../../platform/http/actor.js'
import { type CompiledRule, compileRule, createRuleCache, type RuleText } from '../../../protocols/claim-rules/index.js'
import type { OidcConfigDeps } from '../deps.js'
import { findOidcApplication } from '../oidc-application.js'

/**
 * Of the whole node, for every team: to compile is a pure function of the text, so that nothing of one team is seen by another. What
 * nobody saved goes past it, so that trying texts pushes no stored rule out.
 */
const storedRules = createRuleCache()

const GIVES_NOTHING: CompiledRule = { instructions: 0, apply: () => undefined }

/** A stored rule. One that does not compile any more gives nothing: the value as it stands is not what was asked for. */
export function storedRule(text: RuleText): CompiledRule {
  const outcome = storedRules(text)
  return 'rule' in outcome ? outcome.rule : GIVES_NOTHING
}

/** A rule that somebody sends. @throws invalid_request that names the field, and where in it the fault begins */
export function compiledRule(text: RuleText): CompiledRule {
  const compiled = compileRule(text)
  if ('rule' in compiled) return compiled.rule
  const { field, message } = compiled.fault
  throw wrong(`/${field}`, message)
}

/**
 * What a rule that nobody saved makes of a text.
 * @throws application_not_found, application_not_oidc, invalid_request for what does not compile, and for what no token would wait for
 */
export async function testRule(
  { db }: Pick<OidcConfigDeps, 'db'>,
  actor: Actor,
  appId: string,
  { input, pattern, replacement, flags = '' }: Omit<RuleText, 'flags'> & { flags?: string; input: string },
): Promise<{ matched: boolean; result: string }> {
  await db.transaction((tx) => findOidcApplication(tx, actor.teamId, appId))
  const outcome = compiledRule({ pattern, replacement, flags }).apply(input)
  if (!outcome)
    throw wrong(
      '/input',
      'takes too much work, or makes a text of more than 4096 characters: the claim would be left out',
    )
  return outcome
}

const wrong = (path: string, message: string) =>
  rejection('invalid_request', { detail: 'Some fields are missing or not valid', errors: [{ path, message }] })

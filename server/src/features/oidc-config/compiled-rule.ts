import { refusal } from '../../platform/errors.js'
import type { Actor } from '../../platform/http/actor.js'
import { type CompiledRule, compileRule, type RuleText } from '../../protocols/claim-rules/index.js'
import type { OidcConfigDeps } from './deps.js'
import { findOidcApplication } from './oidc-application.js'

/** @throws invalid_request that names the field, and where in it the fault begins */
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
  refusal('invalid_request', { detail: 'Some fields are missing or not valid', errors: [{ path, message }] })

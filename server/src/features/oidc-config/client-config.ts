import type { CompiledRule, RuleSource } from '../../protocols/claim-rules/index.js'
import type { Attribute } from './claims/attributes.js'
import { storedRule } from './claims/compiled-rule.js'
import { STANDARD_SCOPES } from './scopes/standard-scopes.js'
import { DEFAULT_TOKEN_POLICY, type TokenPolicy } from './token-policy/token-policy.js'

export type TargetToken = 'ACCESS_TOKEN' | 'ID_TOKEN'

export interface ClientClaim {
  name: string
  userAttribute: Attribute
  targetTokens: TargetToken[]
  rule: CompiledRule | null
}

/** The configuration for the tokens of an application with compiled rules. Valid for one `version` of the application. */
export interface ClientConfig {
  /** The standard scopes first, then those of the application in order of creation. */
  scopes: { name: string; isDefault: boolean }[]
  claims: ClientClaim[]
  tokenPolicy: TokenPolicy
}

/** The value of `CLIENT_CONFIG_COLUMN`. */
export interface StoredClientConfig {
  scopes: { name: string; isDefault: boolean }[]
  claims: (Omit<ClientClaim, 'rule'> & { rule: RuleSource | null })[]
  tokenPolicy: TokenPolicy | null
}

/** SQL expression (`jsonb`, without alias) over `applications a`: reads the whole configuration in the query of the application. */
export const CLIENT_CONFIG_COLUMN = `jsonb_build_object(
  'scopes', (SELECT coalesce(jsonb_agg(jsonb_build_object('name', cs.name, 'isDefault', cs.is_default) ORDER BY cs.created_at, cs.id), '[]')
    FROM oidc_scopes cs WHERE cs.application_id = a.id),
  'claims', (SELECT coalesce(jsonb_agg(jsonb_build_object('name', cc.name, 'userAttribute', cc.user_attribute, 'targetTokens', cc.target_tokens,
      'rule', CASE WHEN cr.id IS NOT NULL THEN jsonb_build_object('pattern', cr.pattern, 'replacement', cr.replacement, 'flags', cr.flags) END) ORDER BY cc.created_at, cc.id), '[]')
    FROM oidc_claims cc LEFT JOIN oidc_regex_rules cr ON cr.id = cc.regex_rule_id WHERE cc.application_id = a.id),
  'tokenPolicy', (SELECT jsonb_build_object('accessTokenLifetime', cp.access_token_lifetime, 'idTokenLifetime', cp.id_token_lifetime,
      'refreshTokenLifetime', cp.refresh_token_lifetime, 'rotationEnabled', cp.rotation_enabled, 'reuseInterval', cp.reuse_interval)
    FROM oidc_token_policies cp WHERE cp.application_id = a.id))`

/** Compiles the value of `CLIENT_CONFIG_COLUMN`. */
export function clientConfigOf(stored: StoredClientConfig): ClientConfig {
  const changed = new Map(stored.scopes.map((scope) => [scope.name, scope]))
  const standard = STANDARD_SCOPES.map((scope) => changed.get(scope.name) ?? { ...scope })
  const own = stored.scopes.filter(({ name }) => !STANDARD_SCOPES.some((scope) => scope.name === name))
  return {
    scopes: [...standard, ...own],
    claims: stored.claims.map((claim) => ({ ...claim, rule: claim.rule && storedRule(claim.rule) })),
    tokenPolicy: stored.tokenPolicy ?? DEFAULT_TOKEN_POLICY,
  }
}

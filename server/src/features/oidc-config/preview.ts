import { namedQuery } from '../../platform/db/named-query.js'
import type { Actor } from '../../platform/http/actor.js'
import { type ApplicationId, parseId, type UserId } from '../../platform/ids.js'
import { createWorkBudget, type WorkBudget } from '../../protocols/claim-rules/index.js'
import { memberRefusal } from '../members/index.js'
import { type Attribute, attributeOf } from './attributes.js'
import { type Claim, claimRepository } from './claim-repository.js'
import type { TargetToken } from './client-config.js'
import { compiledRule } from './compiled-rule.js'
import { claimValue } from './custom-claims.js'
import type { OidcConfigDeps } from './deps.js'
import { findOidcApplication } from './oidc-application.js'
import { CLAIMS_OF_SCOPE, claimsOf, type Person, type PersonRow, personColumns, personOf } from './person.js'
import { type RegexRule, ruleRepository } from './rule-repository.js'
import { allowedScopes } from './standard-scopes.js'

export interface PreviewedClaim {
  name: string
  /** Null where the claim is left out: the attribute is empty, or its rule gives nothing. */
  value: unknown
  /** `scope:<name>` or `attribute:<name>`. */
  source: string
  rule: { id: string; name: string } | null
  /** The attribute, where a rule makes the value of it. */
  before?: unknown
}

export interface Preview {
  idToken: PreviewedClaim[]
  accessToken: PreviewedClaim[]
  userinfo: PreviewedClaim[]
}

type Row = PersonRow & { allowed: string[] }

// As everywhere an administrator looks: of somebody whom the team merely added, no more than the team wrote itself.
const memberBySubject = namedQuery<Row, [ApplicationId, UserId]>(
  'oidc_config.previewed_member',
  `SELECT ${personColumns((column) => `CASE WHEN m.counts THEN ${column} END`)}, ${allowedScopes('a')} AS allowed
   FROM applications a JOIN memberships m ON m.organization_id = a.organization_id JOIN users u ON u.id = m.user_id
   WHERE a.id = $1 AND m.user_id = $2`,
)

/**
 * What the tokens of an application and its userinfo would say of a member. Nothing is given out, and nothing recorded.
 * @param scopes those that the application may not have are left out, as at a sign-in
 * @throws application_not_found, application_not_oidc, user_not_found
 */
export function previewClaims(
  { db }: Pick<OidcConfigDeps, 'db'>,
  actor: Actor,
  appId: string,
  { userId, scopes }: { userId: string; scopes: string[] },
): Promise<Preview> {
  return db.transaction(async (tx) => {
    const { id } = await findOidcApplication(tx, actor.teamId, appId)
    const subject = parseId<UserId>(userId)
    const [row] = subject ? await tx.run(memberBySubject, [id, subject]) : []
    if (!row) throw memberRefusal('user_not_found')
    const claims = await claimRepository(tx, id).list()
    const rules = await ruleRepository(tx, id).list()
    const person = personOf(row)
    const granted = scopes.filter((scope) => row.allowed.includes(scope))
    const standard = granted.includes('openid') ? standardClaims(person, granted) : []
    const custom = (target: TargetToken) => customClaimsOf(person, claims, rules, target)
    const ofIdToken = custom('ID_TOKEN')
    const replaced = new Set(ofIdToken.filter(({ value }) => value !== null).map(({ name }) => name))
    return {
      idToken: granted.includes('openid') ? [...standard.filter(({ name }) => !replaced.has(name)), ...ofIdToken] : [],
      accessToken: [{ name: 'sub', value: person.id, source: 'attribute:id', rule: null }, ...custom('ACCESS_TOKEN')],
      userinfo: standard,
    }
  })
}

function standardClaims(person: Person, scopes: string[]): PreviewedClaim[] {
  const known = claimsOf(person)
  return Object.entries(CLAIMS_OF_SCOPE)
    .filter(([scope]) => scopes.includes(scope))
    .flatMap(([scope, names]) =>
      names
        .filter((name) => Object.hasOwn(known, name))
        .map((name) => ({ name, value: known[name], source: `scope:${scope}`, rule: null })),
    )
}

function customClaimsOf(person: Person, claims: Claim[], rules: RegexRule[], target: TargetToken): PreviewedClaim[] {
  const budget = createWorkBudget()
  return claims
    .filter(({ targetTokens }) => targetTokens.includes(target))
    .map((claim) => previewed(person, claim, rules, budget))
}

function previewed(person: Person, claim: Claim, rules: RegexRule[], budget: WorkBudget): PreviewedClaim {
  const { name, userAttribute, regexRuleId } = claim
  const before = attributeOf(person, userAttribute as Attribute)
  const rule = rules.find(({ id }) => id === regexRuleId)
  return {
    name,
    value: claimValue(before, rule ? compiledRule(rule) : null, budget) ?? null,
    source: `attribute:${userAttribute}`,
    rule: rule ? { id: rule.id, name: rule.name } : null,
    ...(rule && { before }),
  }
}

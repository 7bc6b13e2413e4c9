import type Type from 'typebox'
import { namedQuery } from '../../../platform/db/named-query.js'
import { rejection as platformError } from '../../../platform/errors.js'
import type { Actor } from '../../../platform/http/actor.js'
import { type ApplicationId, parseId, type UserId } from '../../../platform/ids.js'
import { memberError, showsOwnProfile } from '../../members/index.js'
import { findOidcApplication } from '../change-configuration.js'
import type { TargetToken } from '../client-config.js'
import type { OidcConfigDeps } from '../deps.js'
import type { PreviewBody } from '../schema.js'
import { allowedScopes } from '../scopes/standard-scopes.js'
import type { Attribute } from './attributes.js'
import { storedRule } from './compiled-rule.js'
import { evaluateClaims } from './custom-claims.js'
import { type Claim, claimRepository, type RegexRule, ruleRepository } from './repository.js'
import {
  CLAIMS_BY_SCOPE,
  standardClaimsOf,
  toUserAttributes,
  type UserAttributes,
  type UserAttributesRow,
  userAttributeColumns,
} from './user-claims.js'

type Preview = Type.Static<typeof PreviewBody>
type PreviewedClaim = Preview['idToken'][number]

type Row = UserAttributesRow & { allowed: string[] }

// Without a confirmed membership, an administrator sees only what the team has written.
const memberBySubject = namedQuery<Row, [ApplicationId, UserId]>(
  'oidc_config.previewed_member',
  `SELECT ${userAttributeColumns((column) => `CASE WHEN ${showsOwnProfile('m', 'u')} THEN ${column} END`)}, ${allowedScopes('a')} AS allowed
   FROM applications a JOIN memberships m ON m.organization_id = a.organization_id JOIN users u ON u.id = m.user_id
   WHERE a.id = $1 AND m.user_id = $2`,
)

/**
 * Returns the claims of a member in the tokens of an application and at userinfo. Issues no token and records no entry.
 * @param scopes scopes that the application does not have are ignored, as at a sign-in
 * @throws application_not_found, application_not_oidc, user_not_found, forbidden without the permission to read users
 */
export function previewClaims(
  { db }: OidcConfigDeps,
  actor: Actor,
  appId: string,
  { userId, scopes }: { userId: string; scopes: string[] },
): Promise<Preview> {
  return db.transaction(async (tx) => {
    const { id } = await findOidcApplication(tx, actor.teamId, appId)
    // The preview returns data of users, so the permission of the configuration alone is not sufficient.
    if (!actor.permissions.has('users:read'))
      throw platformError('forbidden', { detail: 'The preview also requires the permission users:read' })
    const subject = parseId<UserId>(userId)
    const [row] = subject ? await tx.run(memberBySubject, [id, subject]) : []
    if (!row) throw memberError('user_not_found')
    const claims = await claimRepository(tx, id).list()
    const rules = await ruleRepository(tx, id).list()
    const user = toUserAttributes(row)
    const granted = scopes.filter((scope) => row.allowed.includes(scope))
    const standard = granted.includes('openid') ? previewStandardClaims(user, granted) : []
    const custom = (target: TargetToken) => previewCustomClaims(user, claims, rules, target)
    const ofIdToken = custom('ID_TOKEN')
    const replaced = new Set(ofIdToken.filter(({ value }) => value !== null).map(({ name }) => name))
    return {
      idToken: granted.includes('openid') ? [...standard.filter(({ name }) => !replaced.has(name)), ...ofIdToken] : [],
      accessToken: [{ name: 'sub', value: user.id, source: 'attribute:id', rule: null }, ...custom('ACCESS_TOKEN')],
      userinfo: standard,
    }
  })
}

function previewStandardClaims(user: UserAttributes, scopes: string[]): PreviewedClaim[] {
  const available = standardClaimsOf(user)
  return Object.entries(CLAIMS_BY_SCOPE)
    .filter(([scope]) => scopes.includes(scope))
    .flatMap(([scope, names]) =>
      names
        .filter((name) => Object.hasOwn(available, name))
        .map((name) => ({ name, value: available[name], source: `scope:${scope}`, rule: null })),
    )
}

function previewCustomClaims(
  user: UserAttributes,
  claims: Claim[],
  rules: RegexRule[],
  target: TargetToken,
): PreviewedClaim[] {
  const withRules = claims.map((claim) => {
    const named = rules.find(({ id }) => id === claim.regexRuleId)
    return { ...claim, userAttribute: claim.userAttribute as Attribute, named, rule: named ? storedRule(named) : null }
  })
  return evaluateClaims(withRules, user, target).map(({ claim: { name, userAttribute, named }, before, value }) => ({
    name,
    value: value ?? null,
    source: `attribute:${userAttribute}`,
    rule: named ? { id: named.id, name: named.name } : null,
    ...(named && { before }),
  }))
}

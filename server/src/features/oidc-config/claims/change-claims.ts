import { uuidv7 } from '../../../platform/crypto/random.js'
import type { Transaction } from '../../../platform/db/database.js'
import type { Actor } from '../../../platform/http/actor.js'
import { type ApplicationId, type ClaimId, parseId, type RegexRuleId } from '../../../platform/ids.js'
import { changeConfiguration, changedFields, rejectBeyond, requireEntry } from '../change-configuration.js'
import type { TargetToken } from '../client-config.js'
import type { OidcConfigDeps } from '../deps.js'
import { invalidFields, rejection } from '../errors.js'
import { type Claim, claimRepository, ruleRepository } from './repository.js'

/** Claims of the protocols and of this service, which a configured claim must not replace. */
const RESERVED = new Set([
  // RFC 7519, RFC 9068
  ...['iss', 'sub', 'aud', 'exp', 'nbf', 'iat', 'jti', 'client_id', 'scope'],
  // RFC 7662, RFC 9396
  ...['active', 'token_type', 'username', 'authorization_details'],
  // OpenID Connect Core 2 and 3.1.3.6, its logout documents, RFC 8417
  ...['auth_time', 'nonce', 'acr', 'amr', 'azp', 'at_hash', 'c_hash', 's_hash', 'sid', 'events', 'typ'],
  // OpenID Connect Core 5.1 and 5.6.2: claims that relying parties trust, and references to other claims
  ...['email_verified', 'phone_number_verified', 'updated_at', '_claim_names', '_claim_sources'],
  // RFC 7800, RFC 8693
  ...['cnf', 'act', 'may_act'],
  ...['gid', 'gen', 'uic', 'dlg'],
  // A relying party in JavaScript may merge the claims into an object.
  ...['__proto__', 'constructor', 'prototype'],
])

/** Ignores case, because a relying party may compare claims without case. */
const isReservedClaim = (name: string): boolean => RESERVED.has(name.toLowerCase())

const MAX_CLAIMS = 100

export interface ClaimInput {
  name: string
  userAttribute: string
  targetTokens: TargetToken[]
  regexRuleId?: string | null
}

/** @throws application_not_found, application_not_oidc, claim_exists, limit_reached, invalid_request for a reserved claim or an unknown rule */
export const createClaim = (deps: OidcConfigDeps, actor: Actor, appId: string, wanted: ClaimInput): Promise<Claim> =>
  changeConfiguration(deps, actor, appId, async ({ tx, application, record }) => {
    const repository = claimRepository(tx, application.id)
    const claims = await repository.list()
    rejectBeyond(MAX_CLAIMS, claims.length, 'claims')
    const { clock } = deps
    const claim = await validateClaim(tx, application.id, claims, {
      ...wanted,
      id: uuidv7(clock),
      createdAt: clock.now(),
    })
    await repository.insert(claim)
    await record('oidc_claim.created', shownInLog(claim))
    return claim
  })

/**
 * Changes the given fields; null removes the rule.
 * @throws application_not_found, application_not_oidc, claim_not_found, claim_exists, invalid_request
 */
export const updateClaim = (
  deps: OidcConfigDeps,
  actor: Actor,
  appId: string,
  claimId: string,
  change: Partial<ClaimInput>,
): Promise<Claim> =>
  changeConfiguration(deps, actor, appId, async ({ tx, application, record }) => {
    const repository = claimRepository(tx, application.id)
    const claims = await repository.list()
    const before = requireEntry(claims, claimId, 'claim_not_found')
    const after = await validateClaim(tx, application.id, claims, { ...before, ...change })
    const changed = changedFields(before, after)
    if (changed.length === 0) return before
    await repository.update(after)
    await record('oidc_claim.updated', { ...shownInLog(after), changed })
    return after
  })

/** @throws application_not_found, application_not_oidc, claim_not_found */
export const deleteClaim = (deps: OidcConfigDeps, actor: Actor, appId: string, claimId: string): Promise<ClaimId> =>
  changeConfiguration(deps, actor, appId, async ({ tx, application, record }) => {
    const repository = claimRepository(tx, application.id)
    const { id, name } = requireEntry(await repository.list(), claimId, 'claim_not_found')
    await repository.delete(id)
    await record('oidc_claim.deleted', { claim: name })
    return id
  })

const shownInLog = ({ name, userAttribute, targetTokens }: Claim) => ({ claim: name, userAttribute, targetTokens })

/** Validates a claim against the others of the application and returns it as stored. */
async function validateClaim(
  tx: Transaction,
  applicationId: ApplicationId,
  claims: Claim[],
  {
    id,
    name,
    userAttribute,
    targetTokens,
    regexRuleId = null,
    createdAt,
  }: ClaimInput & Pick<Claim, 'id' | 'createdAt'>,
): Promise<Claim> {
  if (isReservedClaim(name)) throw invalidFields({ path: '/name', message: 'is a reserved claim of the protocol' })
  const rule = regexRuleId === null ? null : await knownRule(tx, applicationId, regexRuleId)
  const inOneToken = (other: Claim) => other.targetTokens.some((token) => targetTokens.includes(token))
  if (claims.some((other) => other.id !== id && other.name === name && inOneToken(other)))
    throw rejection('claim_exists')
  return { id, name, userAttribute, targetTokens: [...targetTokens].sort(), regexRuleId: rule, createdAt }
}

async function knownRule(tx: Transaction, applicationId: ApplicationId, id: string): Promise<RegexRuleId> {
  const known = parseId<RegexRuleId>(id)
  const rule = (await ruleRepository(tx, applicationId).list()).find((one) => one.id === known)
  if (!rule) throw invalidFields({ path: '/regexRuleId', message: 'is not a rule of this application' })
  return rule.id
}

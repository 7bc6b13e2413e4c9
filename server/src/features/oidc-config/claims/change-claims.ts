import { uuidv7 } from '../../../platform/crypto/random.js'
import type { Transaction } from '../../../platform/db/database.js'
import { rejection as platformError } from '../../../platform/errors.js'
import type { Actor } from '../../../platform/http/actor.js'
import { type ApplicationId, type ClaimId, parseId, type RegexRuleId } from '../../../platform/ids.js'
import type { TargetToken } from '../client-config.js'
import type { OidcConfigDeps } from '../deps.js'
import { rejection } from '../errors.js'
import { changedFields, noteChange, rejectBeyond } from '../note-change.js'
import { lockOidcApplication } from '../oidc-application.js'
import { type Claim, claimRepository } from './claim-repository.js'
import { isReservedClaim } from './reserved-claims.js'
import { ruleRepository } from './rule-repository.js'

const MOST_CLAIMS = 100

export interface WantedClaim {
  name: string
  userAttribute: string
  targetTokens: TargetToken[]
  regexRuleId?: string | null
}

/** @throws application_not_found, application_not_oidc, claim_exists, limit_reached, invalid_request for a protocol's claim and an unknown rule */
export function createClaim(deps: OidcConfigDeps, actor: Actor, appId: string, wanted: WantedClaim): Promise<Claim> {
  return deps.db.transaction(async (tx) => {
    const application = await lockOidcApplication(tx, actor.teamId, appId)
    const repository = claimRepository(tx, application.id)
    const claims = await repository.list()
    rejectBeyond(MOST_CLAIMS, claims.length, 'claims')
    const { clock } = deps
    const claim = await settle(tx, application.id, claims, { ...wanted, id: uuidv7(clock), createdAt: clock.now() })
    await repository.insert(claim)
    await noteChange(tx, deps, actor, application, 'oidc_claim.created', shownInLog(claim))
    return claim
  })
}

/**
 * Changes what is given and leaves the rest; null takes the rule away.
 * @throws application_not_found, application_not_oidc, claim_not_found, claim_exists, invalid_request
 */
export function updateClaim(
  deps: OidcConfigDeps,
  actor: Actor,
  appId: string,
  claimId: string,
  change: Partial<WantedClaim>,
): Promise<Claim> {
  return deps.db.transaction(async (tx) => {
    const application = await lockOidcApplication(tx, actor.teamId, appId)
    const repository = claimRepository(tx, application.id)
    const claims = await repository.list()
    const before = claimIn(claims, claimId)
    const after = await settle(tx, application.id, claims, { ...before, ...change })
    const changed = changedFields(before, after)
    if (changed.length === 0) return before
    await repository.update(after)
    await noteChange(tx, deps, actor, application, 'oidc_claim.updated', { ...shownInLog(after), changed })
    return after
  })
}

/** @throws application_not_found, application_not_oidc, claim_not_found */
export function deleteClaim(deps: OidcConfigDeps, actor: Actor, appId: string, claimId: string): Promise<ClaimId> {
  return deps.db.transaction(async (tx) => {
    const application = await lockOidcApplication(tx, actor.teamId, appId)
    const repository = claimRepository(tx, application.id)
    const { id, name } = claimIn(await repository.list(), claimId)
    await repository.delete(id)
    await noteChange(tx, deps, actor, application, 'oidc_claim.deleted', { claim: name })
    return id
  })
}

const shownInLog = ({ name, userAttribute, targetTokens }: Claim) => ({ claim: name, userAttribute, targetTokens })

function claimIn(claims: Claim[], id: string): Claim {
  const known = parseId<ClaimId>(id)
  const claim = claims.find((one) => one.id === known)
  if (!claim) throw rejection('claim_not_found')
  return claim
}

/** The claim as it is stored, judged beside the others. */
async function settle(
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
  }: WantedClaim & Pick<Claim, 'id' | 'createdAt'>,
): Promise<Claim> {
  if (isReservedClaim(name)) throw wrong('/name', 'is a claim of the protocol itself')
  const rule = regexRuleId === null ? null : await knownRule(tx, applicationId, regexRuleId)
  const inOneToken = (other: Claim) => other.targetTokens.some((token) => targetTokens.includes(token))
  if (claims.some((other) => other.id !== id && other.name === name && inOneToken(other)))
    throw rejection('claim_exists')
  return { id, name, userAttribute, targetTokens: [...targetTokens].sort(), regexRuleId: rule, createdAt }
}

async function knownRule(tx: Transaction, applicationId: ApplicationId, id: string): Promise<RegexRuleId> {
  const known = parseId<RegexRuleId>(id)
  const rule = (await ruleRepository(tx, applicationId).list()).find((one) => one.id === known)
  if (!rule) throw wrong('/regexRuleId', 'is no rule of this application')
  return rule.id
}

const wrong = (path: string, message: string) =>
  platformError('invalid_request', { detail: 'Some fields are missing or not valid', errors: [{ path, message }] })

import type { Actor } from '../../platform/http/actor.js'
import type { Application } from '../applications/index.js'
import { findOidcApplication } from './change-configuration.js'
import { type Claim, claimRepository, type RegexRule, ruleRepository } from './claims/repository.js'
import type { OidcConfigDeps } from './deps.js'
import { keyRepository, type StoredKey } from './keys/key-repository.js'
import { type Scope, scopeRepository } from './scopes/scope-repository.js'
import { defaultPolicyOf } from './token-policy/change-token-policy.js'
import { policyRepository, type StoredPolicy } from './token-policy/policy-repository.js'

/** The configuration for the tokens of an application. */
export interface OidcConfiguration {
  application: Application
  scopes: Scope[]
  claims: Claim[]
  regexRules: RegexRule[]
  signingKeys: StoredKey[]
  tokenPolicy: StoredPolicy
}

/** @throws application_not_found, application_not_oidc */
export const readConfiguration = (
  { db }: OidcConfigDeps,
  { teamId }: Actor,
  appId: string,
): Promise<OidcConfiguration> =>
  db.transaction(async (tx) => {
    const application = await findOidcApplication(tx, teamId, appId)
    return {
      application,
      scopes: await scopeRepository(tx, application).list(),
      claims: await claimRepository(tx, application.id).list(),
      regexRules: await ruleRepository(tx, application.id).list(),
      signingKeys: await keyRepository(tx, teamId, application.id).list(),
      tokenPolicy: (await policyRepository(tx).find(application.id)) ?? defaultPolicyOf(application),
    }
  })

import type { OidcConfig } from '../../../api/contract'
import { lifetimeNames, limits } from './lifetimes-form'

const standardScopes = ['openid', 'profile', 'email', 'offline_access']

/** A scope of the standard: it can be described, not renamed and not removed. */
export function isStandard({ name }: { name: string }): boolean {
  return standardScopes.includes(name)
}

/** Nothing was added and nothing was changed: whoever looks at it for the first time need do nothing. */
export function isUntouched({ scopes, claims, regexRules, signingKeys, tokenPolicy }: OidcConfig): boolean {
  return (
    scopes.every(isStandard) &&
    claims.length === 0 &&
    regexRules.length === 0 &&
    signingKeys.length === 0 &&
    tokenPolicy.rotationEnabled &&
    lifetimeNames.every((name) => tokenPolicy[name] === limits[name].usual)
  )
}

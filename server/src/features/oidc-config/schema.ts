import Type from 'typebox'
import { nullable, timestamp } from '../../platform/http/schema-parts.js'
import { ClaimBody, presentClaim, presentRule, RuleBody } from './claims/schema.js'
import { KeyBody, presentKey } from './keys/schema.js'
import type { OidcConfiguration } from './queries.js'
import { presentScope, ScopeBody } from './scopes/schema.js'
import { presentPolicy, TokenPolicyBody } from './token-policy/schema.js'

export const ConfigurationBody = Type.Object(
  {
    id: Type.String({ description: 'ID of the application: each has one configuration' }),
    applicationId: Type.String(),
    scopes: Type.Array(ScopeBody),
    claims: Type.Array(ClaimBody),
    regexRules: Type.Array(RuleBody),
    signingKeys: Type.Array(KeyBody),
    tokenPolicy: TokenPolicyBody,
    createdAt: timestamp(),
    updatedAt: timestamp(),
  },
  { $id: 'OidcConfiguration' },
)

export const PreviewRequest = Type.Object({
  userId: Type.String(),
  scopes: Type.Array(Type.String({ maxLength: 100 }), { maxItems: 200 }),
})
const PreviewedClaimBody = Type.Object(
  {
    name: Type.String(),
    value: Type.Unsafe<unknown>({ description: 'Null: the claim is omitted' }),
    source: Type.String({ description: 'scope:<name> or attribute:<name>' }),
    rule: nullable(Type.Object({ id: Type.String(), name: Type.String() })),
    before: Type.Optional(Type.Unsafe<unknown>({ description: 'The attribute before the rule' })),
  },
  { $id: 'PreviewedClaim' },
)
export const PreviewBody = Type.Object({
  idToken: Type.Array(PreviewedClaimBody),
  accessToken: Type.Array(PreviewedClaimBody),
  userinfo: Type.Array(PreviewedClaimBody),
})

export const presentConfiguration = (configuration: OidcConfiguration) => ({
  id: configuration.application.id,
  applicationId: configuration.application.id,
  scopes: configuration.scopes.map(presentScope),
  claims: configuration.claims.map(presentClaim),
  regexRules: configuration.regexRules.map(presentRule),
  signingKeys: configuration.signingKeys.map(presentKey),
  tokenPolicy: presentPolicy(configuration.tokenPolicy),
  createdAt: configuration.application.createdAt.toISOString(),
  updatedAt: configuration.application.updatedAt.toISOString(),
})

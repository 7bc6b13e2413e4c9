import Type from 'typebox'
import { DisplayName } from '../settings/index.js'
import { ATTRIBUTES } from './attributes.js'
import type { Claim } from './claim-repository.js'
import { ALGORITHMS } from './key-algorithms.js'
import type { StoredKey } from './key-repository.js'
import type { StoredPolicy } from './policy-repository.js'
import type { OidcConfiguration } from './queries.js'
import type { RegexRule } from './rule-repository.js'
import type { Scope } from './scope-repository.js'

const nullable = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()])
const oneOf = <const Name extends string>(names: readonly Name[]) =>
  Type.Unsafe<Name>({ type: 'string', enum: [...names] })
const Moment = Type.String({ format: 'date-time' })
const dataOf = <T extends Type.TSchema>(schema: T) => Type.Object({ data: Type.Array(schema) })

/** RFC 6749 3.3: any visible ASCII but the quotation mark and the backslash. */
const ScopeToken = Type.String({ maxLength: 100, pattern: '^[\\x21\\x23-\\x5b\\x5d-\\x7e]+$' })
const Description = nullable(Type.String({ maxLength: 500 }))
export const CreateScope = Type.Object({
  name: ScopeToken,
  description: Type.Optional(Description),
  isDefault: Type.Optional(Type.Boolean({ description: 'Given where no scope is asked for; default false' })),
})
export const UpdateScope = Type.Partial(CreateScope)
export const ScopeBody = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    description: nullable(Type.String()),
    isDefault: Type.Boolean(),
    createdAt: Moment,
  },
  { $id: 'Scope' },
)
export const Scopes = dataOf(ScopeBody)

const UserAttribute = oneOf(Object.keys(ATTRIBUTES) as (keyof typeof ATTRIBUTES)[])
const TargetTokens = Type.Array(oneOf(['ACCESS_TOKEN', 'ID_TOKEN']), { minItems: 1, maxItems: 2, uniqueItems: true })
export const CreateClaim = Type.Object({
  name: Type.String({
    maxLength: 200,
    pattern: '^[\\x21-\\x7e]+$',
    description: 'None of the claims that the protocols write themselves, such as sub or exp',
  }),
  userAttribute: UserAttribute,
  targetTokens: TargetTokens,
  regexRuleId: Type.Optional(nullable(Type.String({ description: 'A rule of the same application' }))),
})
export const UpdateClaim = Type.Partial(CreateClaim)
export const ClaimBody = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    userAttribute: Type.String(),
    regexRuleId: nullable(Type.String()),
    targetTokens: Type.Array(Type.String()),
    createdAt: Moment,
  },
  { $id: 'Claim' },
)
export const Claims = dataOf(ClaimBody)
export const Attributes = dataOf(
  Type.Object({
    name: Type.String(),
    description: Type.String(),
    type: Type.String({ description: 'string, boolean or string[]' }),
  }),
)

// How long each may be is said with what is wrong in it, and where.
const ruleText = {
  pattern: Type.String({ description: 'RE2 syntax, at most 500 characters: no lookaround, no references back' }),
  replacement: Type.String({
    description: 'As in JavaScript: $1 to $99, $&, $$ and $<name>; at most 500 characters',
  }),
  flags: Type.Optional(
    Type.String({ description: 'Any of g (all matches, else the first), i, m and s, each once; default none' }),
  ),
}
export const CreateRule = Type.Object({ name: DisplayName, ...ruleText })
export const UpdateRule = Type.Partial(CreateRule)
export const TestRule = Type.Object({ ...ruleText, input: Type.String({ maxLength: 4_096 }) })
export const RuleOutcome = Type.Object({ matched: Type.Boolean(), result: Type.String() })
export const RuleBody = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    pattern: Type.String(),
    replacement: Type.String(),
    flags: Type.String(),
    createdAt: Moment,
  },
  { $id: 'RegexRule' },
)
export const Rules = dataOf(RuleBody)

const Kid = Type.String({ minLength: 1, maxLength: 100, pattern: '^[\\x21-\\x7e]+$' })
const Pem = (description: string) => Type.String({ maxLength: 32_768, description })
const AsDefault = Type.Optional(
  Type.Boolean({ description: 'Signs ID and access tokens, in the place of the key that did; default false' }),
)
const ForAccessTokens = Type.Optional(
  Type.Boolean({ description: 'Signs access tokens in the place of the default key; only an ES256 key' }),
)
export const ImportKey = Type.Object({
  kid: Kid,
  algorithm: oneOf(ALGORITHMS),
  publicKey: Pem('PEM: SPKI, PKCS #1 or a certificate'),
  privateKey: Pem('PEM: PKCS #8, PKCS #1 or SEC 1, not encrypted'),
  certChain: Type.Optional(nullable(Pem('PEM: the certificate of the key, then those above it'))),
  isDefault: AsDefault,
})
export const GenerateKey = Type.Object({
  algorithm: oneOf(ALGORITHMS),
  kid: Type.Optional(Kid),
  isDefault: AsDefault,
  useForAccessTokens: ForAccessTokens,
})
export const UpdateKey = Type.Object({ isDefault: AsDefault, useForAccessTokens: ForAccessTokens })
export const KeyBody = Type.Object(
  {
    id: Type.String(),
    kid: Type.String(),
    algorithm: Type.String(),
    isDefault: Type.Boolean(),
    useForAccessTokens: Type.Boolean(),
    hasCertificate: Type.Boolean(),
    createdAt: Moment,
    retiredAt: Type.Optional(Type.String({ format: 'date-time', description: 'Since when it signs nothing' })),
    publishedUntil: Type.Optional(
      Type.String({ format: 'date-time', description: 'Until when a key that signs nothing verifies' }),
    ),
  },
  { $id: 'SigningKey' },
)
export const Keys = dataOf(KeyBody)
export const DeleteKeyQuery = Type.Object({
  immediately: Type.Optional(
    Type.Boolean({ description: 'The key verifies nothing any more: what it signed is dead at once' }),
  ),
})
export const DeletedKey = Type.Object({
  deleted: Type.Literal(true),
  id: Type.String(),
  publishedUntil: Type.Optional(Moment),
})

const Lifetime = Type.Integer({ minimum: 60, maximum: 31_536_000, description: 'Seconds' })
export const PutTokenPolicy = Type.Object({
  accessTokenLifetime: Type.Optional(Lifetime),
  idTokenLifetime: Type.Optional(Lifetime),
  refreshTokenLifetime: Type.Optional(Type.Integer({ minimum: 3_600, maximum: 315_360_000, description: 'Seconds' })),
  rotationEnabled: Type.Optional(
    Type.Boolean({ description: 'Whether each use of a refresh token gives another in its place' }),
  ),
  reuseInterval: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 3_600,
      description: 'Seconds for which a rotated refresh token gets its successor once more',
    }),
  ),
})
export const TokenPolicyBody = Type.Object(
  {
    accessTokenLifetime: Type.Integer(),
    idTokenLifetime: Type.Integer(),
    refreshTokenLifetime: Type.Integer(),
    rotationEnabled: Type.Boolean(),
    reuseInterval: Type.Integer(),
    updatedAt: Moment,
  },
  { $id: 'TokenPolicy' },
)

export const ConfigurationBody = Type.Object(
  {
    id: Type.String({ description: 'That of the application: each has one configuration' }),
    applicationId: Type.String(),
    scopes: Type.Array(ScopeBody),
    claims: Type.Array(ClaimBody),
    regexRules: Type.Array(RuleBody),
    signingKeys: Type.Array(KeyBody),
    tokenPolicy: TokenPolicyBody,
    createdAt: Moment,
    updatedAt: Moment,
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
    value: Type.Unsafe<unknown>({ description: 'Null: the claim is left out' }),
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

export const Deleted = Type.Object({ deleted: Type.Literal(true), id: Type.String() })

export const presentScope = ({ id, name, description, isDefault, createdAt }: Scope) => ({
  id,
  name,
  description,
  isDefault,
  createdAt: createdAt.toISOString(),
})

export const presentClaim = ({ id, name, userAttribute, regexRuleId, targetTokens, createdAt }: Claim) => ({
  id,
  name,
  userAttribute,
  regexRuleId,
  targetTokens,
  createdAt: createdAt.toISOString(),
})

export const presentRule = ({ id, name, pattern, replacement, flags, createdAt }: RegexRule) => ({
  id,
  name,
  pattern,
  replacement,
  flags,
  createdAt: createdAt.toISOString(),
})

/** Nothing of the private half is ever shown. */
export const presentKey = (key: StoredKey) => ({
  id: key.id,
  kid: key.kid,
  algorithm: key.algorithm,
  isDefault: key.isDefault,
  useForAccessTokens: key.useForAccessTokens,
  hasCertificate: key.certificateChain !== null,
  createdAt: key.createdAt.toISOString(),
  retiredAt: key.retiredAt?.toISOString(),
  publishedUntil: key.publishedUntil?.toISOString(),
})

export const presentPolicy = (policy: StoredPolicy) => ({
  accessTokenLifetime: policy.accessTokenLifetime,
  idTokenLifetime: policy.idTokenLifetime,
  refreshTokenLifetime: policy.refreshTokenLifetime,
  rotationEnabled: policy.rotationEnabled,
  reuseInterval: policy.reuseInterval,
  updatedAt: policy.updatedAt.toISOString(),
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

import Type from 'typebox'
import { nullable, timestamp } from '../../../platform/http/schema-parts.js'
import { ATTRIBUTES } from './attributes.js'
import type { Claim } from './claim-repository.js'

const oneOf = <const Name extends string>(names: readonly Name[]) =>
  Type.Unsafe<Name>({ type: 'string', enum: [...names] })

const UserAttribute = oneOf(Object.keys(ATTRIBUTES) as (keyof typeof ATTRIBUTES)[])
const TargetTokens = Type.Array(oneOf(['ACCESS_TOKEN', 'ID_TOKEN']), { minItems: 1, maxItems: 2, uniqueItems: true })
export const CreateClaim = Type.Object({
  name: Type.String({
    maxLength: 200,
    pattern: '^[\\x21-\\x7e]+$',
    description: 'Must not be a reserved claim of the protocols, such as sub or exp',
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
    createdAt: timestamp(),
  },
  { $id: 'Claim' },
)
export const Attributes = Type.Object({
  data: Type.Array(
    Type.Object({
      name: Type.String(),
      description: Type.String(),
      type: Type.String({ description: 'string, boolean or string[]' }),
    }),
  ),
})

export const presentClaim = ({ id, name, userAttribute, regexRuleId, targetTokens, createdAt }: Claim) => ({
  id,
  name,
  userAttribute,
  regexRuleId,
  targetTokens,
  createdAt: createdAt.toISOString(),
})

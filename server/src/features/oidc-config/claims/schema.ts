import Type from 'typebox'
import { nullable, oneOf, timestamp } from '../../../platform/http/schema-parts.js'
import { DisplayName } from '../../settings/index.js'
import { ATTRIBUTES } from './attributes.js'
import type { Claim, RegexRule } from './repository.js'

const UserAttribute = oneOf(...(Object.keys(ATTRIBUTES) as (keyof typeof ATTRIBUTES)[]))
const TargetTokens = Type.Array(oneOf('ACCESS_TOKEN', 'ID_TOKEN'), { minItems: 1, maxItems: 2, uniqueItems: true })
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

// The schemas of rules have no `maxLength`: compiling a rule validates the lengths together with the syntax.
const ruleFields = {
  pattern: Type.String({ description: 'RE2 syntax, at most 500 characters: no lookaround, no backreferences' }),
  replacement: Type.String({
    description: 'As in JavaScript: $1 to $99, $&, $$ and $<name>; at most 500 characters',
  }),
  flags: Type.Optional(
    Type.String({ description: 'Any of g (all matches instead of the first), i, m and s, each once; default none' }),
  ),
}
export const CreateRule = Type.Object({ name: DisplayName, ...ruleFields })
export const UpdateRule = Type.Partial(CreateRule)
export const TestRule = Type.Object({ ...ruleFields, input: Type.String({ maxLength: 4_096 }) })
export const RuleOutcome = Type.Object({ matched: Type.Boolean(), result: Type.String() })
export const RuleBody = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    pattern: Type.String(),
    replacement: Type.String(),
    flags: Type.String(),
    createdAt: timestamp(),
  },
  { $id: 'RegexRule' },
)

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

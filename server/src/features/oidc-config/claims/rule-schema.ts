import Type from 'typebox'
import { timestamp } from '../../../platform/http/schema-parts.js'
import { DisplayName } from '../../settings/index.js'
import type { RegexRule } from './rule-repository.js'

// The schemas have no `maxLength`: compiling the rule validates the lengths together with the syntax.
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

export const presentRule = ({ id, name, pattern, replacement, flags, createdAt }: RegexRule) => ({
  id,
  name,
  pattern,
  replacement,
  flags,
  createdAt: createdAt.toISOString(),
})

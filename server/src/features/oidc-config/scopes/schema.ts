import Type from 'typebox'
import { nullable, timestamp } from '../../../platform/http/schema-parts.js'
import type { Scope } from './scope-repository.js'

/** RFC 6749 3.3: any visible ASCII except the quotation mark and the backslash. */
const ScopeToken = Type.String({ maxLength: 100, pattern: '^[\\x21\\x23-\\x5b\\x5d-\\x7e]+$' })
const Description = nullable(Type.String({ maxLength: 500 }))
export const CreateScope = Type.Object({
  name: ScopeToken,
  description: Type.Optional(Description),
  isDefault: Type.Optional(Type.Boolean({ description: 'Granted if a request names no scope; default false' })),
})
export const UpdateScope = Type.Partial(CreateScope)
export const ScopeBody = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    description: nullable(Type.String()),
    isDefault: Type.Boolean(),
    createdAt: timestamp(),
  },
  { $id: 'Scope' },
)

export const presentScope = ({ id, name, description, isDefault, createdAt }: Scope) => ({
  id,
  name,
  description,
  isDefault,
  createdAt: createdAt.toISOString(),
})

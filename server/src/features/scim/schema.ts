import Type from 'typebox'
import { anyObject } from '../../platform/http/any-object.js'
import { GROUP, PATCH_OP, SEARCH_REQUEST, USER } from '../../protocols/scim/index.js'

const Team = Type.String({ description: 'The team: its id, its slug, or `org_` and its id' })

export const TeamParams = Type.Object({ orgRef: Team })
export const UserParams = Type.Object({ orgRef: Team, userId: Type.String() })
export const GroupParams = Type.Object({ orgRef: Team, groupId: Type.String() })
export const NamedParams = Type.Object({ orgRef: Team, id: Type.String() })

/** What of a resource is answered (RFC 7644 3.9). */
const projection = {
  attributes: Type.Optional(Type.String({ description: 'Names with commas between them: these alone are answered' })),
  excludedAttributes: Type.Optional(Type.String({ description: 'Names with commas between them: these are not' })),
}
export const ProjectionQuery = Type.Object(projection)

/** RFC 7644 3.4.2. What is wrong in it is said by the room, in its words. */
export const ListQueryShape = Type.Object({
  filter: Type.Optional(
    Type.String({ description: 'RFC 7644 3.4.2.2, such as `userName eq "someone@example.com"`; at most 2 kB' }),
  ),
  startIndex: Type.Optional(Type.String({ description: 'A whole number, from 1; default 1' })),
  count: Type.Optional(
    Type.String({ description: 'A whole number; default 100, at most 200; 0: all are counted and none listed' }),
  ),
  sortBy: Type.Optional(Type.String({ description: 'A simple attribute' })),
  sortOrder: Type.Optional(Type.String({ description: '`ascending` (the default) or `descending`' })),
  ...projection,
})

export const Resource = anyObject({ $id: 'ScimResource', description: 'A User or a Group (RFC 7643)' })
export const Description = anyObject({
  $id: 'ScimDescription',
  description: 'What the service says of itself (RFC 7643 5 to 7)',
})
export const ResourceList = Type.Object(
  {
    schemas: Type.Array(Type.String()),
    totalResults: Type.Integer(),
    startIndex: Type.Integer(),
    itemsPerPage: Type.Integer(),
    Resources: Type.Array(anyObject()),
  },
  { $id: 'ScimList' },
)

/** What a body holds, for the reference; more is known by the schemas of SCIM, which judge it and know names in any case. */
const bodyOf = (schema: string, description: string, examples: Record<string, unknown> = {}) =>
  Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    description,
    additionalProperties: true,
    properties: {
      schemas: { type: 'array', minItems: 1, items: { anyOf: [{ const: schema }, { type: 'string' }] } },
      ...Object.fromEntries(Object.entries(examples).map(([name, value]) => [name, example(value)])),
    },
  })

/** Anything; this, for instance. */
const example = (value: unknown) => ({ anyOf: [{ const: value }, {}] })

export const UserBody = bodyOf(USER, 'A User (RFC 7643 4.1 and 4.3); `userName` is the e-mail address', {
  userName: 'someone@example.com',
})
export const GroupBody = bodyOf(GROUP, 'A Group (RFC 7643 4.2)', { displayName: 'Engineering' })
export const PatchBody = bodyOf(PATCH_OP, 'Operations on a resource (RFC 7644 3.5.2)', {
  Operations: [{ op: 'replace', path: 'displayName', value: 'Engineering' }],
})
export const SearchBody = bodyOf(SEARCH_REQUEST, 'What a query would say (RFC 7644 3.4.3)')
export const Nothing = Type.Null({ description: 'Nothing' })

import Type from 'typebox'
import { anyObject } from '../../../platform/http/schema-parts.js'
import { GROUP, PATCH_OP, SEARCH_REQUEST, USER } from '../../../protocols/scim/index.js'

export const Team = Type.String({ description: 'The team: its ID, its slug, or `org_` and its ID' })

export const TeamParams = Type.Object({ orgRef: Team })
export const NamedParams = Type.Object({ orgRef: Team, id: Type.String() })

/** Selects the returned attributes (RFC 7644 section 3.9). */
const projection = {
  attributes: Type.Optional(Type.String({ description: 'Comma-separated names of the attributes to return' })),
  excludedAttributes: Type.Optional(Type.String({ description: 'Comma-separated names of the attributes to omit' })),
}
export const ProjectionQuery = Type.Object(projection)

/** RFC 7644 section 3.4.2. The handler validates the values, to return SCIM errors. */
export const ListQueryShape = Type.Object({
  filter: Type.Optional(
    Type.String({ description: 'RFC 7644 3.4.2.2, such as `userName eq "someone@example.com"`; at most 2 kB' }),
  ),
  startIndex: Type.Optional(Type.String({ description: 'A whole number, from 1; default 1' })),
  count: Type.Optional(
    Type.String({ description: 'A whole number; default 100, at most 200; 0 returns only the total' }),
  ),
  sortBy: Type.Optional(Type.String({ description: 'A simple attribute' })),
  sortOrder: Type.Optional(Type.String({ description: '`ascending` (the default) or `descending`' })),
  ...projection,
})

export const Resource = anyObject({ $id: 'ScimResource', description: 'A User or a Group (RFC 7643)' })
export const Description = anyObject({
  $id: 'ScimDescription',
  description: 'A description of the service (RFC 7643 sections 5 to 7)',
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

/** Describes a body for the reference. The SCIM schemas validate it and accept names in any case. */
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

/** Accepts any value; this one is an example. */
const example = (value: unknown) => ({ anyOf: [{ const: value }, {}] })

export const UserBody = bodyOf(USER, 'A User (RFC 7643 sections 4.1 and 4.3); `userName` is the email address', {
  userName: 'someone@example.com',
})
export const GroupBody = bodyOf(GROUP, 'A Group (RFC 7643 section 4.2)', { displayName: 'Engineering' })
export const PatchBody = bodyOf(PATCH_OP, 'Operations on a resource (RFC 7644 section 3.5.2)', {
  Operations: [{ op: 'replace', path: 'displayName', value: 'Engineering' }],
})
export const SearchBody = bodyOf(SEARCH_REQUEST, 'The parameters of a list query (RFC 7644 section 3.4.3)')
export const Nothing = Type.Null({ description: 'No content' })

import type { ScimObjectShape } from '../list-response.js'
import { ScimError } from '../scim-error.js'
import { KINDS, type Schema } from './resource-kinds.js'
import { SCHEMA } from './urns.js'

const shape = (base: string, { id, name, description, attributes }: Schema): ScimObjectShape => ({
  schemas: [SCHEMA],
  id,
  name,
  description,
  attributes,
  meta: { resourceType: 'Schema', location: `${base}/Schemas/${id}` },
})

/**
 * Returns the entries of `/Schemas` (RFC 7643 section 7): the two core schemas. The extension is only available by its ID.
 * @param base the URL of the service provider, without a trailing slash
 */
export const describeSchemas = (base: string): ScimObjectShape[] =>
  Object.values(KINDS).map(({ core }) => shape(base, core))

/**
 * Returns a schema by its URN, in any case.
 * @throws {ScimError} 404
 */
export function describeSchema(base: string, id: string): ScimObjectShape {
  const found = Object.values(KINDS)
    .flatMap(({ core, extension }) => (extension ? [core, extension] : [core]))
    .find((schema) => schema.id.toLowerCase() === id.toLowerCase())
  if (!found) throw new ScimError(404, undefined, 'Schema not found.')
  return shape(base, found)
}

import type { ScimObjectShape } from './list-response.js'
import { KINDS, type Schema } from './resource-kinds.js'
import { ScimFault } from './scim-fault.js'
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
 * What `/Schemas` lists (RFC 7643, section 7): the two core schemas, and no more. The extension answers by its id.
 * @param base the address of the service provider, without a slash at its end
 */
export const describeSchemas = (base: string): ScimObjectShape[] =>
  Object.values(KINDS).map(({ core }) => shape(base, core))

/**
 * One schema by its URN, in whatever case.
 * @throws {ScimFault} 404
 */
export function describeSchema(base: string, id: string): ScimObjectShape {
  const found = Object.values(KINDS)
    .flatMap(({ core, extension }) => (extension ? [core, extension] : [core]))
    .find((schema) => schema.id.toLowerCase() === id.toLowerCase())
  if (!found) throw new ScimFault(404, undefined, 'There is no such schema.')
  return shape(base, found)
}

import type { ScimObjectShape } from './list-response.js'
import { KINDS, type KindOfResource } from './resource-kinds.js'
import { ScimFault } from './scim-fault.js'
import { RESOURCE_TYPE } from './urns.js'

const shape = (base: string, { core, extension, endpoint, description }: KindOfResource): ScimObjectShape => ({
  schemas: [RESOURCE_TYPE],
  id: core.name,
  name: core.name,
  description,
  endpoint,
  schema: core.id,
  ...(extension && { schemaExtensions: [{ schema: extension.id, required: false }] }),
  meta: { resourceType: 'ResourceType', location: `${base}/ResourceTypes/${core.name}` },
})

/**
 * What `/ResourceTypes` lists (RFC 7643, section 6).
 * @param base the address of the service provider, without a slash at its end
 */
export const describeResourceTypes = (base: string): ScimObjectShape[] =>
  Object.values(KINDS).map((kind) => shape(base, kind))

/**
 * One type of resource by its name.
 * @throws {ScimFault} 404
 */
export function describeResourceType(base: string, id: string): ScimObjectShape {
  const found = Object.values(KINDS).find(({ core }) => core.name === id)
  if (!found) throw new ScimFault(404, undefined, 'There is no such type of resource.')
  return shape(base, found)
}

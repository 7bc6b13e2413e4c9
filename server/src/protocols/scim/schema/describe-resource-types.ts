import type { ScimObjectShape } from '../list-response.js'
import { ScimError } from '../scim-error.js'
import { KINDS, type ResourceType } from './resource-kinds.js'
import { RESOURCE_TYPE } from './urns.js'

const shape = (base: string, { core, extension, endpoint, description }: ResourceType): ScimObjectShape => ({
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
 * Returns the entries of `/ResourceTypes` (RFC 7643 section 6).
 * @param base the URL of the service provider, without a trailing slash
 */
export const describeResourceTypes = (base: string): ScimObjectShape[] =>
  Object.values(KINDS).map((kind) => shape(base, kind))

/**
 * Returns a resource type by its name.
 * @throws {ScimError} 404
 */
export function describeResourceType(base: string, id: string): ScimObjectShape {
  const found = Object.values(KINDS).find(({ core }) => core.name === id)
  if (!found) throw new ScimError(404, undefined, 'Resource type not found.')
  return shape(base, found)
}

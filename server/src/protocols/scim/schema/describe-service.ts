import { MAX_RESULTS } from '../list-query.js'
import { ScimError } from '../scim-error.js'
import { KINDS, type ResourceType, type Schema } from './resource-kinds.js'
import { RESOURCE_TYPE, SCHEMA, SERVICE_PROVIDER_CONFIG } from './urns.js'

/**
 * Returns the body of `/ServiceProviderConfig` (RFC 7643 section 5).
 * @param base the URL of the service provider, without a trailing slash
 */
export const describeServiceProvider = (base: string) => ({
  schemas: [SERVICE_PROVIDER_CONFIG],
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: MAX_RESULTS },
  changePassword: { supported: false },
  sort: { supported: true },
  etag: { supported: false },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'Bearer token',
      description: 'A SCIM token of the team in the Authorization header.',
      specUri: 'https://www.rfc-editor.org/rfc/rfc6750',
      primary: true,
    },
  ],
  meta: { resourceType: 'ServiceProviderConfig', location: `${base}/ServiceProviderConfig` },
})

/** The extension is omitted, because a client that finds it here would look for it in `/Schemas`, which does not list it. */
const resourceType = (base: string, { core, endpoint, description }: ResourceType) => ({
  schemas: [RESOURCE_TYPE],
  id: core.name,
  name: core.name,
  description,
  endpoint,
  schema: core.id,
  meta: { resourceType: 'ResourceType', location: `${base}/ResourceTypes/${core.name}` },
})

/** Returns the entries of `/ResourceTypes` (RFC 7643 section 6). @param base as in `describeServiceProvider` */
export const describeResourceTypes = (base: string) => Object.values(KINDS).map((kind) => resourceType(base, kind))

/** Returns a resource type by its name. @throws {ScimError} 404 */
export function describeResourceType(base: string, id: string) {
  const found = Object.values(KINDS).find(({ core }) => core.name === id)
  if (!found) throw new ScimError(404, undefined, 'Resource type not found.')
  return resourceType(base, found)
}

const schema = (base: string, { id, name, description, attributes }: Schema) => ({
  schemas: [SCHEMA],
  id,
  name,
  description,
  attributes,
  meta: { resourceType: 'Schema', location: `${base}/Schemas/${id}` },
})

/**
 * Returns the entries of `/Schemas` (RFC 7643 section 7): the two core schemas. The extension is only available by its ID.
 * @param base as in `describeServiceProvider`
 */
export const describeSchemas = (base: string) => Object.values(KINDS).map(({ core }) => schema(base, core))

/** Returns a schema by its URN, in any case. @throws {ScimError} 404 */
export function describeSchema(base: string, id: string) {
  const schemas = Object.values(KINDS).flatMap(({ core, extension }) => (extension ? [core, extension] : [core]))
  const found = schemas.find((one) => one.id.toLowerCase() === id.toLowerCase())
  if (!found) throw new ScimError(404, undefined, 'Schema not found.')
  return schema(base, found)
}

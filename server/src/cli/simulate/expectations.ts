import { type Json, listAt, valueAt } from './json.js'
import type { ScimResponse } from './scim-client.js'

/** Thrown if the client could not continue with the response; the message contains the reason. */
export class Mismatch extends Error {}

/** @throws Mismatch for any other status, with the detail of the response */
export function expectStatus(response: ScimResponse, ...statuses: number[]): ScimResponse {
  if (statuses.includes(response.status)) return response
  const detail = valueAt(response.body, 'detail')
  throw new Mismatch(
    `expected the status ${statuses.join(' or ')}, got ${response.status}${typeof detail === 'string' ? `: ${detail}` : ''}`,
  )
}

/** @throws Mismatch with both values if the value at the path differs */
export function expectValue(body: Json | undefined, path: string, expected: Json): void {
  const found = valueAt(body, ...path.split('/').map((step) => (/^\d+$/.test(step) ? Number(step) : step)))
  if (JSON.stringify(found) !== JSON.stringify(expected))
    throw new Mismatch(`expected ${path} to be ${JSON.stringify(expected)}, got ${JSON.stringify(found) ?? 'nothing'}`)
}

/** Returns the ID of a resource. @throws Mismatch if it has none */
export function idOf(resource: Json | undefined): string {
  const id = valueAt(resource, 'id')
  if (typeof id !== 'string' || id === '') throw new Mismatch('expected an ID, got none')
  return id
}

/** Returns the resources of a list. @throws Mismatch if it is not a ListResponse or has another total */
export function expectFound(response: ScimResponse, count: number): Json[] {
  expectStatus(response, 200)
  const schemas = listAt(response.body, 'schemas')
  if (!schemas.includes('urn:ietf:params:scim:api:messages:2.0:ListResponse'))
    throw new Mismatch('expected a ListResponse')
  expectValue(response.body, 'totalResults', count)
  return listAt(response.body, 'Resources')
}

/** @throws Mismatch if the group has other members */
export function expectMembers(group: Json | undefined, expected: string[]): void {
  const found = listAt(group, 'members').map((member) => valueAt(member, 'value'))
  if (JSON.stringify(found.toSorted()) !== JSON.stringify(expected.toSorted()))
    throw new Mismatch(`expected the members ${JSON.stringify(expected)}, got ${JSON.stringify(found)}`)
}

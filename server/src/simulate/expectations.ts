import { type Json, listAt, valueAt } from './json.js'
import type { ScimAnswer } from './scim-client.js'

/** The answer is not one with which the directory could go on; the message says why. */
export class Mismatch extends Error {}

/** @throws Mismatch for every other status, with what the service says of it */
export function expectStatus(answer: ScimAnswer, ...statuses: number[]): ScimAnswer {
  if (statuses.includes(answer.status)) return answer
  const detail = valueAt(answer.body, 'detail')
  throw new Mismatch(
    `expected the status ${statuses.join(' or ')}, got ${answer.status}${typeof detail === 'string' ? `: ${detail}` : ''}`,
  )
}

/** @throws Mismatch when the value at the path is another one; texts of both are told */
export function expectValue(body: Json | undefined, path: string, wanted: Json): void {
  const found = valueAt(body, ...path.split('/').map((step) => (/^\d+$/.test(step) ? Number(step) : step)))
  if (JSON.stringify(found) !== JSON.stringify(wanted))
    throw new Mismatch(`expected ${path} to be ${JSON.stringify(wanted)}, got ${JSON.stringify(found) ?? 'nothing'}`)
}

/** The id of a resource that was made or found. @throws Mismatch without one */
export function idOf(resource: Json | undefined): string {
  const id = valueAt(resource, 'id')
  if (typeof id !== 'string' || id === '') throw new Mismatch('expected an id, got none')
  return id
}

/** The only resource of a list, or none. @throws Mismatch when it is no ListResponse or its count is another */
export function expectFound(answer: ScimAnswer, count: number): Json[] {
  expectStatus(answer, 200)
  const schemas = listAt(answer.body, 'schemas')
  if (!schemas.includes('urn:ietf:params:scim:api:messages:2.0:ListResponse'))
    throw new Mismatch('expected a ListResponse')
  expectValue(answer.body, 'totalResults', count)
  return listAt(answer.body, 'Resources')
}

/** @throws Mismatch when the group has other members than these */
export function expectMembers(group: Json | undefined, wanted: string[]): void {
  const found = listAt(group, 'members').map((member) => valueAt(member, 'value'))
  if (JSON.stringify(found.toSorted()) !== JSON.stringify(wanted.toSorted()))
    throw new Mismatch(`expected the members ${JSON.stringify(wanted)}, got ${JSON.stringify(found)}`)
}

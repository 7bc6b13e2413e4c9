import type { Filter } from './filter/filter.js'
import { parseFilter } from './filter/parse-filter.js'
import { type Projection, readProjection } from './projection.js'
import { bodyWithSchema } from './read-value.js'
import { findAmongAll, findTarget, simpleTarget, type Target } from './schema/find-target.js'
import type { ResourceKind } from './schema/resource-kinds.js'
import { LIST_RESPONSE, SEARCH_REQUEST } from './schema/urns.js'
import { invalidRequest } from './scim-error.js'

/** The maximum number of resources on one page. */
export const MAX_RESULTS = 200
const USUAL_RESULTS = 100
/** No list is longer, and PostgreSQL accepts offsets up to here. */
const LAST_INDEX = 1_000_000_000

/** A list request (RFC 7644 sections 3.4.2 and 3.4.3). */
export interface ListQuery {
  filter: Filter | undefined
  /** The index of the first resource, from 1. */
  startIndex: number
  /** From 0 to 200; 0 returns only the total. */
  count: number
  /** A simple attribute; for several values the primary one, else the first. */
  sortBy: Target | undefined
  descending: boolean
  projection: Projection
}

/**
 * Reads the query parameters of a list.
 * @param query the decoded parameters: strings, or arrays for repeated ones, which are rejected
 * @throws {ScimError} `invalidFilter`, `invalidPath` (sortBy), `invalidValue`
 */
export const readListQuery = (kind: ResourceKind, query: { readonly [name: string]: unknown }): ListQuery =>
  readParameters(kind, (name) => {
    const value = Object.hasOwn(query, name) ? query[name] : undefined
    return value === undefined ? undefined : requireString(value, `“${name}” must be sent only once.`)
  })

/**
 * Reads the body of a search by POST (`.search`), which has the same parameters.
 * @throws {ScimError} as {@link readListQuery}, and `invalidSyntax` for an invalid SearchRequest
 */
export const readSearchRequest = (kind: ResourceKind, body: unknown): ListQuery =>
  readParameters(kind, parametersIn(body))

/**
 * Reads the body of a search across all resource types, as one query for each. They have the same page and direction.
 * @throws {ScimError} as {@link readSearchRequest}, for attributes that no resource type has
 */
export function readSearchOfAll(body: unknown): { readonly [kind in ResourceKind]: ListQuery } {
  const get = parametersIn(body)
  return { User: readParameters('User', get, findAmongAll), Group: readParameters('Group', get, findAmongAll) }
}

function parametersIn(body: unknown): (name: string) => unknown {
  const sent = bodyWithSchema(body, SEARCH_REQUEST)
  return (name) => sent.get(name.toLowerCase()) ?? undefined
}

/**
 * @param get returns a parameter; undefined if it was not sent
 * @param find resolves the names of attributes in the filter and in `sortBy`
 */
function readParameters(kind: ResourceKind, get: (name: string) => unknown, find = findTarget): ListQuery {
  const text = (name: string): string | undefined => {
    const value = get(name)
    return value === undefined ? undefined : requireString(value, `“${name}” must be a string.`)
  }
  const [filter, startIndex, count, sortBy] = [text('filter'), get('startIndex'), get('count'), text('sortBy')]
  const sortOrder = text('sortOrder')
  const projected = { attributes: get('attributes'), excludedAttributes: get('excludedAttributes') }
  return {
    filter: filter === undefined ? undefined : parseFilter(kind, filter, find),
    startIndex: Math.min(Math.max(wholeNumber(startIndex, 'startIndex') ?? 1, 1), LAST_INDEX),
    count: Math.min(Math.max(wholeNumber(count, 'count') ?? USUAL_RESULTS, 0), MAX_RESULTS),
    sortBy: sortBy === undefined ? undefined : sortTarget(sortBy, find(kind, sortBy)),
    descending: isDescending(sortOrder),
    projection: readProjection(kind, projected),
  }
}

function requireString(value: unknown, message: string): string {
  if (typeof value !== 'string') throw invalidRequest('invalidValue', message)
  return value
}

function wholeNumber(value: unknown, name: string): number | undefined {
  if (value === undefined) return undefined
  if (typeof value === 'number' && Number.isInteger(value)) return value
  if (typeof value === 'string' && /^[+-]?\d+$/.test(value)) return Number(value)
  throw invalidRequest('invalidValue', `“${name}” must be a whole number.`)
}

function sortTarget(name: string, found: Target | undefined): Target {
  const target = found && simpleTarget(found)
  if (!target) throw invalidRequest('invalidPath', `Unknown attribute “${name}” in “sortBy”.`)
  return target
}

function isDescending(order: string | undefined): boolean {
  const lower = order?.toLowerCase()
  if (lower === undefined || lower === 'ascending') return false
  if (lower === 'descending') return true
  throw invalidRequest('invalidValue', '“sortOrder” must be ascending or descending.')
}

/**
 * Returns one page of a list (RFC 7644 section 3.4.2).
 * @param list.totalResults the total over all pages
 * @param list.startIndex the index of the first resource of the page, from 1
 */
export const listResponse = <R>(list: { resources: readonly R[]; totalResults: number; startIndex: number }) => ({
  schemas: [LIST_RESPONSE],
  totalResults: list.totalResults,
  startIndex: list.startIndex,
  itemsPerPage: list.resources.length,
  Resources: list.resources,
})

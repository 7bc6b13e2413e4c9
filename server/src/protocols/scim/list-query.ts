import type { Filter } from './filter/filter.js'
import { parseFilter } from './filter/parse-filter.js'
import { type Projection, readProjection } from './projection.js'
import { keysInLowerCase } from './read-value.js'
import { findTarget, simpleTarget, type Target } from './schema/find-target.js'
import type { ResourceKind } from './schema/resource-kinds.js'
import { SEARCH_REQUEST } from './schema/urns.js'
import { invalidRequest } from './scim-error.js'
import { isList, isObject } from './scim-object.js'

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
export function readListQuery(kind: ResourceKind, query: { readonly [name: string]: unknown }): ListQuery {
  const one = (name: string): string | undefined => {
    const value = Object.hasOwn(query, name) ? query[name] : undefined
    if (value === undefined || typeof value === 'string') return value
    throw invalidRequest('invalidValue', `“${name}” must be sent only once.`)
  }
  return verify(kind, {
    filter: one('filter'),
    startIndex: one('startIndex'),
    count: one('count'),
    sortBy: one('sortBy'),
    sortOrder: one('sortOrder'),
    attributes: one('attributes'),
    excludedAttributes: one('excludedAttributes'),
  })
}

/**
 * Reads the body of a search by POST (`.search`), which has the same parameters.
 * @throws {ScimError} as {@link readListQuery}, and `invalidSyntax` for an invalid SearchRequest
 */
export function readSearchRequest(kind: ResourceKind, body: unknown): ListQuery {
  const sent: ReadonlyMap<string, unknown> = isObject(body) ? keysInLowerCase(body) : new Map()
  const schemas = sent.get('schemas')
  const named = (urn: unknown) => typeof urn === 'string' && urn.toLowerCase() === SEARCH_REQUEST.toLowerCase()
  if (!isList(schemas) || !schemas.some(named))
    throw invalidRequest('invalidSyntax', `The body must have the schema ${SEARCH_REQUEST}.`)
  const one = (name: keyof ListParameters): unknown => sent.get(name.toLowerCase()) ?? undefined
  const text = (name: keyof ListParameters): string | undefined => {
    const value = one(name)
    if (value === undefined || typeof value === 'string') return value
    throw invalidRequest('invalidValue', `“${name}” must be a string.`)
  }
  return verify(kind, {
    filter: text('filter'),
    startIndex: one('startIndex'),
    count: one('count'),
    sortBy: text('sortBy'),
    sortOrder: text('sortOrder'),
    attributes: one('attributes'),
    excludedAttributes: one('excludedAttributes'),
  })
}

interface ListParameters {
  filter: string | undefined
  startIndex: unknown
  count: unknown
  sortBy: string | undefined
  sortOrder: string | undefined
  attributes: unknown
  excludedAttributes: unknown
}

function verify(kind: ResourceKind, parameters: ListParameters): ListQuery {
  return {
    filter: parameters.filter === undefined ? undefined : parseFilter(kind, parameters.filter),
    startIndex: Math.min(Math.max(wholeNumber(parameters.startIndex, 'startIndex') ?? 1, 1), LAST_INDEX),
    count: Math.min(Math.max(wholeNumber(parameters.count, 'count') ?? USUAL_RESULTS, 0), MAX_RESULTS),
    sortBy: parameters.sortBy === undefined ? undefined : sortTarget(kind, parameters.sortBy),
    descending: isDescending(parameters.sortOrder),
    projection: readProjection(kind, parameters),
  }
}

function wholeNumber(value: unknown, name: string): number | undefined {
  if (value === undefined) return undefined
  if (typeof value === 'number' && Number.isInteger(value)) return value
  if (typeof value === 'string' && /^[+-]?\d+$/.test(value)) return Number(value)
  throw invalidRequest('invalidValue', `“${name}” must be a whole number.`)
}

function sortTarget(kind: ResourceKind, name: string): Target {
  const found = findTarget(kind, name)
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

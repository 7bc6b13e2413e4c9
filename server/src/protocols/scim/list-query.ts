import type { Filter } from './filter.js'
import { findTarget, simpleTarget, type Target } from './find-target.js'
import { parseFilter } from './parse-filter.js'
import { type Projection, readProjection } from './projection.js'
import { keysInLowerCase } from './read-value.js'
import type { ResourceKind } from './resource-kinds.js'
import { fault } from './scim-fault.js'
import { isList, isObject } from './scim-object.js'
import { SEARCH_REQUEST } from './urns.js'

/** How many resources one page has at most. */
export const MOST_RESULTS = 200
const USUAL_RESULTS = 100
/** Beyond it there is nothing anyway, and a database counts so far. */
const LAST_INDEX = 1_000_000_000

/** What is to be listed (RFC 7644, sections 3.4.2 and 3.4.3). */
export interface ListQuery {
  filter: Filter | undefined
  /** The place of the first one, from 1. */
  startIndex: number
  /** 0 to 200: with 0 nothing is listed and all are counted. */
  count: number
  /** A simple attribute; of several values the primary one, else the first, counts. */
  sortBy: Target | undefined
  descending: boolean
  projection: Projection
}

/**
 * Reads the query of a list.
 * @param query its parameters, decoded: texts, or lists of them where one was sent twice (which is refused)
 * @throws {ScimFault} `invalidFilter`, `invalidPath` (sortBy), `invalidValue`
 */
export function readListQuery(kind: ResourceKind, query: { readonly [name: string]: unknown }): ListQuery {
  const one = (name: string): string | undefined => {
    const value = Object.hasOwn(query, name) ? query[name] : undefined
    if (value === undefined || typeof value === 'string') return value
    throw fault('invalidValue', `“${name}” is sent once.`)
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
 * Reads the body of a search by POST (`.search`), which says the same as a query.
 * @throws {ScimFault} as {@link readListQuery}, and `invalidSyntax` for what is no SearchRequest
 */
export function readSearchRequest(kind: ResourceKind, body: unknown): ListQuery {
  const sent: ReadonlyMap<string, unknown> = isObject(body) ? keysInLowerCase(body) : new Map()
  const schemas = sent.get('schemas')
  const named = (urn: unknown) => typeof urn === 'string' && urn.toLowerCase() === SEARCH_REQUEST.toLowerCase()
  if (!isList(schemas) || !schemas.some(named))
    throw fault('invalidSyntax', `The body has the schema ${SEARCH_REQUEST}.`)
  const one = (name: keyof Said): unknown => sent.get(name.toLowerCase()) ?? undefined
  const text = (name: keyof Said): string | undefined => {
    const value = one(name)
    if (value === undefined || typeof value === 'string') return value
    throw fault('invalidValue', `“${name}” is a text.`)
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

interface Said {
  filter: string | undefined
  startIndex: unknown
  count: unknown
  sortBy: string | undefined
  sortOrder: string | undefined
  attributes: unknown
  excludedAttributes: unknown
}

function verify(kind: ResourceKind, said: Said): ListQuery {
  return {
    filter: said.filter === undefined ? undefined : parseFilter(kind, said.filter),
    startIndex: Math.min(Math.max(wholeNumber(said.startIndex, 'startIndex') ?? 1, 1), LAST_INDEX),
    count: Math.min(Math.max(wholeNumber(said.count, 'count') ?? USUAL_RESULTS, 0), MOST_RESULTS),
    sortBy: said.sortBy === undefined ? undefined : sortTarget(kind, said.sortBy),
    descending: isDescending(said.sortOrder),
    projection: readProjection(kind, said),
  }
}

function wholeNumber(value: unknown, name: string): number | undefined {
  if (value === undefined) return undefined
  if (typeof value === 'number' && Number.isInteger(value)) return value
  if (typeof value === 'string' && /^[+-]?\d+$/.test(value)) return Number(value)
  throw fault('invalidValue', `“${name}” is a whole number.`)
}

function sortTarget(kind: ResourceKind, name: string): Target {
  const found = findTarget(kind, name)
  const target = found && simpleTarget(found)
  if (!target) throw fault('invalidPath', `There is no attribute “${name}” to sort by.`)
  return target
}

function isDescending(order: string | undefined): boolean {
  const lower = order?.toLowerCase()
  if (lower === undefined || lower === 'ascending') return false
  if (lower === 'descending') return true
  throw fault('invalidValue', '“sortOrder” is ascending or descending.')
}

import { LIST_RESPONSE } from './urns.js'

/** Any JSON object that is sent and not judged: a resource, a schema, a description. */
export interface ScimObjectShape {
  readonly [name: string]: unknown
}

/**
 * A page of a list (RFC 7644, section 3.4.2).
 * @param list.totalResults how many there are on all pages
 * @param list.startIndex the place of the first one of this page, from 1
 */
export const listResponse = <R>(list: { resources: readonly R[]; totalResults: number; startIndex: number }) => ({
  schemas: [LIST_RESPONSE],
  totalResults: list.totalResults,
  startIndex: list.startIndex,
  itemsPerPage: list.resources.length,
  Resources: list.resources,
})

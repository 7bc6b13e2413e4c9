import { LIST_RESPONSE } from './schema/urns.js'

/** Any JSON object of a response. */
export interface ScimObjectShape {
  readonly [name: string]: unknown
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

/** An error that a redirect of the service names in the URL. */
export interface ErrorSearch {
  code?: string | undefined
  requestId?: string | undefined
}

/**
 * Reads an error and its request ID from a query. Anyone can write such a link, so other texts than those of the service are not shown.
 * @param code the parameter with the error code
 */
export const errorSearch = ({ requestId, ...search }: Record<string, unknown>, code: string): ErrorSearch => ({
  code: matching(search[code], /^[a-z_]{1,64}$/),
  requestId: matching(requestId, /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i),
})

const matching = (value: unknown, pattern: RegExp): string | undefined =>
  value !== undefined && pattern.test(String(value)) ? String(value) : undefined

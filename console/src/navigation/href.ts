/** Returns a path with a query. Values that are undefined are left out. */
export function hrefOf(path: string, search: object = {}): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(search)) if (value !== undefined) query.set(name, String(value))
  return query.size > 0 ? `${path}?${query}` : path
}

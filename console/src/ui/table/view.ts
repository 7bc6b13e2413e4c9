/** The state of a list in its URL: page (from 1), rows per page, sort (`name`, `-name` for descending), search text and filters. */
export interface View {
  page: number
  limit: number
  sort?: string
  q?: string
  filters: Readonly<Record<string, string>>
}

export const PAGE_SIZES = [25, 50, 100] as const

/** Search parameters of a list page. */
export type ListSearch = Readonly<Record<string, string | number>>

/** Validates the search of a list route. Values of other types are ignored. */
export const listSearch = (search: Record<string, unknown>): ListSearch =>
  Object.fromEntries(
    Object.entries(search).filter(
      (entry): entry is [string, string | number] => typeof entry[1] === 'string' || typeof entry[1] === 'number',
    ),
  )

const numberIn = (value: unknown, fallback: number): number => {
  const number = Number(value)
  return Number.isSafeInteger(number) && number > 0 ? number : fallback
}

/** Reads a view from the search parameters of a URL. Unknown parameters and malformed values are ignored. */
export function viewFrom(search: ListSearch, filters: readonly string[]): View {
  const { page, limit, sort, q } = search
  const set = filters.flatMap((name) => {
    const value = search[name]
    return value !== undefined && value !== '' ? [[name, String(value)]] : []
  })
  return {
    page: numberIn(page, 1),
    limit: PAGE_SIZES.find((size) => size === Number(limit)) ?? 50,
    ...(sort && { sort: String(sort) }),
    ...(q !== undefined && q !== '' && { q: String(q) }),
    filters: Object.fromEntries(set),
  }
}

/** The search parameters of a view, without defaults, so that the URL stays short. */
export function searchOf({ page, limit, sort, q, filters }: View): ListSearch {
  return {
    ...(q && { q }),
    ...filters,
    ...(sort && { sort }),
    ...(page > 1 && { page }),
    ...(limit !== 50 && { limit }),
  }
}

/** The next order of a column: ascending, descending, then the default order. */
export function nextSort(current: string | undefined, column: string): string | undefined {
  if (current === column) return `-${column}`
  return current === `-${column}` ? undefined : column
}

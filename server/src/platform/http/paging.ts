import Type from 'typebox'

const DEFAULT_LIMIT = 50
const MAX_LIMIT = 100

/** `page` and `limit` of every paged list: clamped rather than refused, and the effective values are in the answer. */
export const PageQuery = {
  page: Type.Optional(Type.Integer({ description: 'From 1; default 1' })),
  limit: Type.Optional(Type.Integer({ description: `Rows a page; default ${DEFAULT_LIMIT}, at most ${MAX_LIMIT}` })),
}

// Beyond it an offset is no longer a number that the database takes; no list is that long.
const LAST_PAGE = 10_000_000

export const pageOf = ({
  page = 1,
  limit = DEFAULT_LIMIT,
}: {
  page?: number | undefined
  limit?: number | undefined
}) => ({
  page: Math.min(Math.max(page, 1), LAST_PAGE),
  limit: Math.min(Math.max(limit, 1), MAX_LIMIT),
})

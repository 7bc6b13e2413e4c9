import Type from 'typebox'

const DEFAULT_LIMIT = 50
const MAX_LIMIT = 100

/** `page` and `limit` of every paged list: clamped instead of rejected; the response contains the effective values. */
export const PageQuery = {
  page: Type.Optional(Type.Integer({ description: 'Page number, starting at 1 (default)' })),
  limit: Type.Optional(Type.Integer({ description: `Rows per page; default ${DEFAULT_LIMIT}, at most ${MAX_LIMIT}` })),
}

// A larger page number would exceed the range of the database's OFFSET.
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

import type { ReactNode } from 'react'

/** A column of a `DataTable`. */
export interface Column<Row> {
  id: string
  header: string
  cell: (row: Row) => ReactNode
  /** the value of `sort` for this column; absent if the service cannot sort by it */
  sort?: string
  /** in pixels; the first column takes the rest */
  width?: number
  /** numbers are aligned at the end */
  numeric?: boolean
  /** phones show only the first column and these */
  onPhones?: boolean
  /** before the link, for the first column; on phones beside both lines */
  picture?: (row: Row) => ReactNode
  /** after the link, for the first column */
  badge?: (row: Row) => ReactNode
}

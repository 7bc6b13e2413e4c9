import common from '../../messages/en/common.json'
import { Icon } from '../icons/icon'
import type { Column } from './column'
import styles from './data-table.module.css'
import { nextSort, type View } from './view'

interface Props<Row> {
  column: Column<Row>
  isFirst: boolean
  view: View
  change: (view: View) => void
}

/** The header of a column, with its button if the service can sort by it. */
export function ColumnHeader<Row>({ column: { header, sort, width, numeric }, isFirst, view, change }: Props<Row>) {
  const direction =
    sort === undefined ? undefined : view.sort === sort ? 'ascending' : view.sort === `-${sort}` ? 'descending' : 'none'
  const { sort: _, ...unsorted } = view
  const reorder = (name: string) => {
    const next = nextSort(view.sort, name)
    change({ ...unsorted, page: 1, ...(next && { sort: next }) })
  }
  return (
    <th
      scope="col"
      aria-sort={direction}
      data-numeric={numeric || undefined}
      {...(!isFirst && width && { style: { width } })}
    >
      {sort === undefined ? (
        header
      ) : (
        <button
          type="button"
          className={styles.sort}
          title={common.sortBy({ name: header })}
          onClick={() => reorder(sort)}
        >
          {header}
          {direction !== 'none' && <Icon name={direction === 'ascending' ? 'arrowUp' : 'arrowDown'} size={12} />}
        </button>
      )}
    </th>
  )
}

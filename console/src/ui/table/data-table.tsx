import { Button, Checkbox } from '@mantine/core'
import type { LinkProps } from '@tanstack/react-router'
import { type MouseEvent, type ReactNode, useCallback, useEffect, useMemo, useRef } from 'react'
import common from '../../messages/en/common.json'
import { LoadError } from '../page/load-error'
import { RowsLoading } from '../page/rows-loading'
import { BodyRow } from './body-row'
import type { Column } from './column'
import { ColumnHeader } from './column-header'
import styles from './data-table.module.css'
import { EmptyPreview } from './empty-preview'
import { ListFooter } from './list-footer'
import type { Selection } from './selection'
import type { View } from './view'

interface Props<Row> {
  /** names the table for assistive technology */
  label: string
  /** the visible columns; the first one is the row's link */
  columns: readonly Column<Row>[]
  rows: readonly Row[] | undefined
  /** whether the rows are those of an earlier view, while the present one is loading */
  isStale?: boolean
  total: number
  idOf: (row: Row) => string
  nameOf: (row: Row) => string
  /** the page of a row, if it has one */
  linkOf?: (row: Row) => { to: NonNullable<LinkProps['to']>; params: Record<string, string> }
  /** second line of a row on small screens */
  detailOf?: (row: Row) => ReactNode
  /** whether a row is less prominent, as that of a suspended user */
  isMuted?: (row: Row) => boolean
  view: View
  change: (view: View) => void
  selection?: Selection
  /** ID of the row whose details are open */
  current?: string | undefined
  /** Opens the details of a row; without it, and for a click with a modifier key, a row leads to its page. */
  open?: (row: Row) => void
  error?: unknown
  retry: () => void
  /** instead of rows if the list is empty without search and filters */
  empty: ReactNode
}

/** A list with server-side paging and sorting. Its state is the URL's; the toolbar and the bulk bar are beside it. */
export function DataTable<Row>(props: Props<Row>) {
  const { rows, isStale = false, total, view, change, error, retry, empty } = props
  const isFiltered = view.q !== undefined || Object.keys(view.filters).length > 0
  const canReset = isFiltered || view.sort !== undefined
  const reset = () => change({ page: 1, limit: view.limit, filters: {} })
  // The rows of the last page may have been removed, or the URL is old.
  const lastPage = Math.max(1, Math.ceil(total / view.limit))
  const isBeyondEnd = rows?.length === 0 && !isStale && view.page > lastPage
  const latest = useRef(() => {})
  latest.current = () => change({ ...view, page: lastPage })
  useEffect(() => {
    if (isBeyondEnd) latest.current()
  }, [isBeyondEnd])
  if (!rows || isBeyondEnd)
    return (
      <div className={styles.empty}>
        {error ? (
          <LoadError error={error} retry={retry} {...(canReset && { reset })} />
        ) : (
          <RowsLoading rows={8} height={36} />
        )}
      </div>
    )
  if (total === 0 && !isFiltered)
    return (
      <>
        <div className={styles.empty}>{empty}</div>
        <EmptyPreview columns={props.columns as readonly Column<unknown>[]} />
      </>
    )
  return (
    <>
      {rows.length === 0 ? (
        <div className={styles.noRows}>
          <p>{common.noRows()}</p>
          <Button variant="default" onClick={reset}>
            {common.clearFilters()}
          </Button>
        </div>
      ) : (
        <Rows {...props} rows={rows} isStale={isStale} />
      )}
      {props.selection && props.selection.count(total) > 0 && <div className={styles.underBulkBar} />}
      <ListFooter total={total} shown={rows.length} isStale={isStale} view={view} change={change} />
    </>
  )
}

function Rows<Row>({
  label,
  columns,
  rows,
  isStale,
  total,
  idOf,
  nameOf,
  linkOf,
  detailOf,
  isMuted,
  view,
  change,
  selection,
  current,
  open,
}: Props<Row> & { rows: readonly Row[]; isStale: boolean }) {
  const ids = rows.map(idOf)
  const selectedHere = selection ? ids.filter(selection.has).length : 0
  const openOnClick = useOpenOnClick(open)
  const toggle = useToggle(selection?.toggle, ids)
  return (
    <table className={styles.table} aria-label={label} aria-rowcount={total} aria-busy={isStale}>
      <thead>
        <tr>
          {selection && (
            <th className={styles.choose}>
              <Checkbox
                size="xs"
                aria-label={common.selectPage()}
                disabled={isStale}
                checked={selectedHere === ids.length}
                indeterminate={selectedHere > 0 && selectedHere < ids.length}
                onChange={() => selection.togglePage(ids)}
              />
            </th>
          )}
          {columns.map((column, index) => (
            <ColumnHeader key={column.id} column={column} isFirst={index === 0} view={view} change={change} />
          ))}
        </tr>
      </thead>
      {/* A choice among rows that are about to disappear would act on others than the user sees. */}
      <tbody inert={isStale}>
        {rows.map((row) => {
          const id = idOf(row)
          return (
            <BodyRow
              key={id}
              row={row}
              id={id}
              name={nameOf(row)}
              columns={columns as readonly Column<unknown>[]}
              link={linkOf?.(row)}
              detail={detailOf?.(row)}
              isMuted={isMuted?.(row) ?? false}
              isSelected={selection?.has(id) ?? false}
              isCurrent={id === current}
              toggle={toggle}
              open={openOnClick}
            />
          )
        })}
      </tbody>
    </table>
  )
}

/** Returns a function that changes only with `toggle`, and passes the rows of the latest render to it. */
function useToggle(toggle: Selection['toggle'] | undefined, ids: readonly string[]) {
  const latest = useRef(ids)
  useEffect(() => {
    latest.current = ids
  })
  return useMemo(() => toggle && ((id: string) => toggle(id, latest.current)), [toggle])
}

/** Returns a function that never changes and calls the `open` of the latest render. */
function useOpenOnClick<Row>(open: ((row: Row) => void) | undefined) {
  const latest = useRef(open)
  useEffect(() => {
    latest.current = open
  })
  return useCallback((event: MouseEvent, row: unknown) => {
    const leadsToPage = event.ctrlKey || event.metaKey || event.shiftKey
    if (!latest.current || leadsToPage) return
    event.preventDefault()
    latest.current(row as Row)
  }, [])
}

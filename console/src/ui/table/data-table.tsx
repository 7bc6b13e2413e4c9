import { Button, Checkbox, Select } from '@mantine/core'
import { Link, type LinkProps } from '@tanstack/react-router'
import { type MouseEvent, memo, type ReactNode, useCallback, useEffect, useMemo, useRef } from 'react'
import common from '../../messages/en/common.json'
import { Icon, type IconName } from '../icons/icon'
import { LoadError } from '../page/load-error'
import { RowsLoading } from '../page/rows-loading'
import styles from './data-table.module.css'
import type { Selection } from './selection'
import { nextSort, PAGE_SIZES, type View } from './view'

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

interface Props<Row> {
  /** names the table for assistive technology */
  label: string
  /** the visible columns; the first one is the row's link */
  columns: readonly Column<Row>[]
  rows: readonly Row[] | undefined
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
  const { rows, total, view, change, error, retry, empty } = props
  const isFiltered = view.q !== undefined || Object.keys(view.filters).length > 0
  if (!rows)
    return (
      <div className={styles.empty}>
        {error ? <LoadError error={error} retry={retry} /> : <RowsLoading rows={8} height={36} />}
      </div>
    )
  if (total === 0 && !isFiltered)
    return (
      <>
        <div className={styles.empty}>{empty}</div>
        <Preview columns={props.columns as readonly Column<unknown>[]} />
      </>
    )
  return (
    <>
      {rows.length === 0 ? (
        <div className={styles.noRows}>
          <p>{common.noRows()}</p>
          <Button variant="default" onClick={() => change({ page: 1, limit: view.limit, filters: {} })}>
            {common.clearFilters()}
          </Button>
        </div>
      ) : (
        <Rows {...props} rows={rows} />
      )}
      {props.selection && props.selection.count(total) > 0 && <div className={styles.underBulkBar} />}
      <Footer total={total} shown={rows.length} view={view} change={change} />
    </>
  )
}

/** Widths of the placeholders in percent, so that rows differ. */
const PREVIEWED = [
  [62, 48, 70, 40],
  [44, 66, 52, 58],
  [54, 40, 60, 46],
]

/** Shows the columns of an empty list with placeholders. */
function Preview({ columns }: { columns: readonly Column<unknown>[] }) {
  return (
    <table className={styles.table} data-preview aria-hidden="true">
      <thead>
        <tr>
          {columns.map(({ id, header, width }) => (
            <th key={id} style={{ width }}>
              {header}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {PREVIEWED.map((widths) => (
          <tr key={widths.join()}>
            {columns.map(({ id }, index) => (
              <td key={id}>
                <span className={styles.placeholder} style={{ width: `${widths[index % widths.length]}%` }} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Rows<Row>({
  label,
  columns,
  rows,
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
}: Props<Row> & { rows: readonly Row[] }) {
  const ids = rows.map(idOf)
  const selectedHere = selection ? ids.filter(selection.has).length : 0
  const openOnClick = useOpenOnClick(open)
  const toggle = useToggle(selection?.toggle, ids)
  return (
    <table className={styles.table} aria-label={label} aria-rowcount={total}>
      <thead>
        <tr>
          {selection && (
            <th className={styles.choose}>
              <Checkbox
                size="xs"
                aria-label={common.selectPage()}
                checked={selectedHere === ids.length}
                indeterminate={selectedHere > 0 && selectedHere < ids.length}
                onChange={() => selection.togglePage(ids)}
              />
            </th>
          )}
          {columns.map((column, index) => (
            <Header key={column.id} column={column} isFirst={index === 0} view={view} change={change} />
          ))}
        </tr>
      </thead>
      <tbody>
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

interface BodyRowProps {
  row: unknown
  id: string
  name: string
  columns: readonly Column<unknown>[]
  link: { to: NonNullable<LinkProps['to']>; params: Record<string, string> } | undefined
  detail: ReactNode
  isMuted: boolean
  isSelected: boolean
  isCurrent: boolean
  /** absent if rows cannot be selected */
  toggle: ((id: string) => void) | undefined
  open: (event: MouseEvent, row: unknown) => void
}

/** Renders only if the row itself has changed: selecting one must not render all others. Its functions must never be outdated. */
const BodyRow = memo(
  function BodyRow({
    row,
    id,
    name,
    columns,
    link,
    detail,
    isMuted,
    isSelected,
    isCurrent,
    toggle,
    open,
  }: BodyRowProps) {
    return (
      <tr
        data-selected={isSelected || undefined}
        data-current={isCurrent || undefined}
        data-muted={isMuted || undefined}
        onMouseMove={showTitle}
      >
        {toggle && (
          <td className={styles.choose}>
            <Checkbox
              size="xs"
              aria-label={common.selectRow({ name })}
              checked={isSelected}
              onChange={() => toggle(id)}
            />
          </td>
        )}
        {columns.map(({ id: column, cell, numeric, onPhones, picture, badge }, index) =>
          index === 0 ? (
            <th key={column} scope="row" className={styles.first}>
              <div className={styles.who}>
                {picture?.(row)}
                <div className={styles.lines}>
                  <div className={styles.line}>
                    {link ? (
                      <Link {...(link as LinkProps)} className={styles.link} onClick={(event) => open(event, row)}>
                        <Shortened>{cell(row)}</Shortened>
                      </Link>
                    ) : (
                      <Shortened>{cell(row)}</Shortened>
                    )}
                    {badge?.(row)}
                  </div>
                  {detail && <span className={styles.detail}>{detail}</span>}
                </div>
              </div>
            </th>
          ) : (
            <td key={column} data-numeric={numeric || undefined} data-on-phones={onPhones || undefined}>
              <Shortened>{cell(row)}</Shortened>
            </td>
          ),
        )}
      </tr>
    )
  },
  (before, after) =>
    before.row === after.row &&
    before.name === after.name &&
    before.detail === after.detail &&
    before.columns === after.columns &&
    before.isMuted === after.isMuted &&
    before.isSelected === after.isSelected &&
    before.isCurrent === after.isCurrent &&
    before.toggle === after.toggle,
)

/** Text ends in an ellipsis where it does not fit; its title is the whole text. */
function Shortened({ children }: { children: ReactNode }) {
  return typeof children === 'string' ? (
    <span className={styles.text} title={children}>
      {children}
    </span>
  ) : (
    children
  )
}

/** Gives the link that covers the row the title of what is below the pointer: a shortened text, or the exact time. */
function showTitle({ currentTarget, clientX, clientY }: MouseEvent<HTMLElement>): void {
  const link = currentTarget.querySelector<HTMLElement>(`.${styles.link}`)
  if (!link) return
  const below = document
    .elementsFromPoint(clientX, clientY)
    .find((element) => element !== link && currentTarget.contains(element) && element.hasAttribute('title'))
  const title = below?.getAttribute('title') ?? ''
  if (link.title !== title) link.title = title
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

interface HeaderProps<Row> {
  column: Column<Row>
  isFirst: boolean
  view: View
  change: (view: View) => void
}

function Header<Row>({ column: { header, sort, width, numeric }, isFirst, view, change }: HeaderProps<Row>) {
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

interface FooterProps {
  total: number
  shown: number
  view: View
  change: (view: View) => void
}

function Footer({ total, shown, view, change }: FooterProps) {
  const first = (view.page - 1) * view.limit
  const pages = Math.max(1, Math.ceil(total / view.limit))
  return (
    <div className={styles.footer} data-list-footer>
      <span data-numeric>{shown > 0 && common.range({ from: first + 1, to: first + shown, total })}</span>
      <div className={styles.sizes}>
        <span aria-hidden="true">{common.rows()}</span>
        <Select
          size="xs"
          w={68}
          aria-label={common.rows()}
          allowDeselect={false}
          data={PAGE_SIZES.map(String)}
          value={String(view.limit)}
          onChange={(limit) => change({ ...view, page: 1, limit: Number(limit) })}
        />
      </div>
      <Step
        label={common.previousPage()}
        icon="left"
        isLast={view.page <= 1}
        act={() => change({ ...view, page: view.page - 1 })}
      />
      <Step
        label={common.nextPage()}
        icon="right"
        isLast={view.page >= pages}
        act={() => change({ ...view, page: view.page + 1 })}
      />
    </div>
  )
}

interface StepProps {
  label: string
  icon: IconName
  /** true without a page in this direction */
  isLast: boolean
  act: () => void
}

/** A button to another page. Not `disabled` on the last one: the button that leads there would lose the focus. */
function Step({ label, icon, isLast, act }: StepProps) {
  return (
    <Button
      variant="default"
      size="compact-sm"
      aria-label={label}
      aria-disabled={isLast || undefined}
      {...(isLast && { 'data-disabled': true })}
      {...(!isLast && { onClick: act })}
    >
      <Icon name={icon} />
    </Button>
  )
}

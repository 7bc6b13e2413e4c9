import { Checkbox } from '@mantine/core'
import { Link, type LinkProps } from '@tanstack/react-router'
import { type MouseEvent, memo, type ReactNode } from 'react'
import common from '../../messages/en/common.json'
import type { Column } from './column'
import styles from './data-table.module.css'

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
export const BodyRow = memo(
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

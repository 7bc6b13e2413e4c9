import { Table } from '@mantine/core'
import type { ReactNode } from 'react'

interface Props {
  label: string
  /** the width in pixels below which the table scrolls sideways, also with the keyboard */
  minWidth: number
  children: ReactNode
}

/** A short table on a page. Lists of their own page use `table/data-table.tsx`. */
export function ScrollTable({ label, minWidth, children }: Props) {
  return (
    <Table.ScrollContainer minWidth={minWidth} type="native" tabIndex={0} role="region" aria-label={label}>
      <Table>{children}</Table>
    </Table.ScrollContainer>
  )
}

import { ActionIcon, Menu } from '@mantine/core'
import type { ReactNode } from 'react'
import { Icon } from '../icons/icon'

interface Props {
  /** names the button for assistive technology, with the row */
  label: string
  /** items of the menu */
  children: ReactNode
}

/** The actions on one row, behind a button with three dots. */
export function RowMenu({ label, children }: Props) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={label}>
          <Icon name="dots" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  )
}

import { ActionIcon, Checkbox, Popover, Stack } from '@mantine/core'
import { useMemo, useState } from 'react'
import common from '../../messages/en/common.json'
import { Icon } from '../icons/icon'
import type { Column } from './column'

/**
 * The columns that the user shows. The choice is stored in the browser.
 * @param key of the list, in the storage
 * @param hidden columns that are hidden until the user shows them
 */
export function useColumns<Row>(key: string, columns: readonly Column<Row>[], hidden: readonly string[] = []) {
  const storageKey = `keyward.columns.${key}`
  const [off, setOff] = useState<readonly string[]>(() => storedColumns(storageKey) ?? hidden)
  const toggle = (id: string) => {
    const next = off.includes(id) ? off.filter((one) => one !== id) : [...off, id]
    localStorage.setItem(storageKey, JSON.stringify(next))
    setOff(next)
  }
  const others = columns.slice(1)
  const shown = useMemo(() => columns.filter(({ id }, index) => index === 0 || !off.includes(id)), [columns, off])
  return {
    shown,
    choice: <ColumnChoice columns={others} isShown={(id) => !off.includes(id)} toggle={toggle} />,
  }
}

function storedColumns(key: string): string[] | null {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? 'null')
    return Array.isArray(stored) ? stored.filter((id) => typeof id === 'string') : null
  } catch {
    return null
  }
}

interface Props {
  columns: readonly { id: string; header: string }[]
  isShown: (id: string) => boolean
  toggle: (id: string) => void
}

function ColumnChoice({ columns, isShown, toggle }: Props) {
  return (
    <Popover position="bottom-end" width={200} trapFocus>
      <Popover.Target>
        <ActionIcon variant="subtle" color="gray" size={32} aria-label={common.columns()} title={common.columns()}>
          <Icon name="columns" />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap={8}>
          {columns.map(({ id, header }) => (
            <Checkbox key={id} size="xs" label={header} checked={isShown(id)} onChange={() => toggle(id)} />
          ))}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}

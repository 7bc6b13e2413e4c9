import { CloseButton, Menu } from '@mantine/core'
import { useRef, useState } from 'react'
import common from '../../messages/en/common.json'
import { Icon, type IconName } from '../icons/icon'
import styles from './bulk-bar.module.css'
import type { Selection } from './selection'

export interface BulkAction {
  id: string
  name: string
  icon: IconName
  /** in the menu of the bar, for actions that are not needed daily */
  inMenu?: boolean
  /** apart from the others, at the end */
  isDanger?: boolean
  run: () => void
}

interface Props {
  selection: Selection
  /** number of rows that match the filters */
  total: number
  /** whether `total` is that of an earlier view, while the present one is loading */
  isStale: boolean
  actions: readonly BulkAction[]
}

/** The actions on the selected rows, over the end of the list while there are any. */
export function BulkBar({ selection, total, isStale, actions }: Props) {
  const all = useRef<HTMLButtonElement>(null)
  // Narrow bars hide the button beside it.
  const [hasAllInMenu, setHasAllInMenu] = useState(false)
  const count = selection.count(total)
  if (count === 0) return null
  const canSelectAll = !isStale && selection.selected.kind === 'some' && count < total
  const more = actions.filter(({ inMenu }) => inMenu)
  return (
    <div className={styles.place} data-bottom-bar>
      <section className={styles.bar} aria-label={common.actions()}>
        <span className={styles.count} role="status">
          {selection.selected.kind === 'matching' ? common.allMatchingSelected({ count }) : common.selected({ count })}
        </span>
        {canSelectAll && (
          <button
            ref={all}
            type="button"
            onClick={selection.selectMatching}
            className={`${styles.button} ${styles.all}`}
          >
            {common.selectAllMatching({ count: total })}
          </button>
        )}
        <span className={styles.line} />
        {actions.filter(({ inMenu, isDanger }) => !inMenu && !isDanger).map(barButton)}
        {(more.length > 0 || canSelectAll) && (
          <Menu position="top-end" onOpen={() => setHasAllInMenu(!all.current?.offsetParent)}>
            <Menu.Target>
              <button type="button" className={styles.button} aria-label={common.moreActions()}>
                <Icon name="dots" />
              </button>
            </Menu.Target>
            <Menu.Dropdown>
              {canSelectAll && hasAllInMenu && (
                <Menu.Item leftSection={<Icon name="check" />} onClick={selection.selectMatching}>
                  {common.selectAllMatching({ count: total })}
                </Menu.Item>
              )}
              {more.map(({ id, name, icon, run }) => (
                <Menu.Item key={id} leftSection={<Icon name={icon} />} onClick={run}>
                  {name}
                </Menu.Item>
              ))}
            </Menu.Dropdown>
          </Menu>
        )}
        {actions.filter(({ isDanger }) => isDanger).map(barButton)}
        <CloseButton
          variant="transparent"
          c="var(--kw-invert-muted)"
          aria-label={common.clearSelection()}
          onClick={selection.clear}
        />
      </section>
    </div>
  )
}

const barButton = ({ id, name, icon, isDanger, run }: BulkAction) => (
  <button
    key={id}
    type="button"
    className={styles.button}
    data-danger={isDanger || undefined}
    onClick={run}
    title={name}
  >
    <Icon name={icon} />
    <span className={styles.name}>{name}</span>
  </button>
)

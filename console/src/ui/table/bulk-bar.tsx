import { CloseButton } from '@mantine/core'
import common from '../../messages/en/common.json'
import { Icon, type IconName } from '../icons/icon'
import styles from './bulk-bar.module.css'
import type { Selection } from './selection'

export interface BulkAction {
  id: string
  name: string
  icon: IconName
  run: () => void
}

interface Props {
  selection: Selection
  /** number of rows that match the filters */
  total: number
  actions: readonly BulkAction[]
}

/** The actions on the selected rows, over the end of the table while there are any. */
export function BulkBar({ selection, total, actions }: Props) {
  const count = selection.count(total)
  if (count === 0) return null
  return (
    <section className={styles.bar} aria-label={common.actions()}>
      <span className={styles.count} role="status">
        {selection.selected.kind === 'matching' ? common.allMatchingSelected({ count }) : common.selected({ count })}
      </span>
      {selection.selected.kind === 'some' && count < total && (
        <button type="button" onClick={selection.selectMatching} className={styles.all}>
          {common.selectAllMatching({ count: total })}
        </button>
      )}
      <span className={styles.line} />
      {actions.map(({ id, name, icon, run }) => (
        <button key={id} type="button" onClick={run} title={name}>
          <Icon name={icon} size={16} />
          <span>{name}</span>
        </button>
      ))}
      <CloseButton
        variant="transparent"
        c="var(--kw-invert-muted)"
        aria-label={common.clearSelection()}
        onClick={selection.clear}
      />
    </section>
  )
}

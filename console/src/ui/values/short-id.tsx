import { ActionIcon } from '@mantine/core'
import { Icon } from '../icons/icon'
import { useCopy } from '../secrets/use-copy'
import styles from './short-id.module.css'

/** An ID, shortened in the middle, with a button that copies all of it. */
export function ShortId({ id, label }: { id: string; label: string }) {
  const { copy, done, name } = useCopy(label, id)
  return (
    <span className={styles.id}>
      <code title={id}>{id.length > 14 ? `${id.slice(0, 8)}…${id.slice(-4)}` : id}</code>
      <ActionIcon variant="subtle" color="gray" size={20} aria-label={name} title={name} onClick={copy}>
        <Icon name={done ? 'check' : 'copy'} size={14} />
      </ActionIcon>
    </span>
  )
}

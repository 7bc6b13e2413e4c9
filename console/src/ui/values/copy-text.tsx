import { ActionIcon } from '@mantine/core'
import { Icon } from '../icons/icon'
import { useCopy } from '../secrets/use-copy'
import styles from './copy-text.module.css'

/** A value that users often need elsewhere, as an email address, with a button that copies it; only the button beside the value itself. */
export function CopyText({ text, label, isTextHidden }: { text: string; label: string; isTextHidden?: boolean }) {
  const { copy, done, name } = useCopy(label, text)
  return (
    <span className={styles.copy}>
      {!isTextHidden && (
        <span className={styles.text} title={text}>
          {text}
        </span>
      )}
      <ActionIcon variant="subtle" color="gray" size={24} aria-label={name} title={name} onClick={copy}>
        <Icon name={done ? 'check' : 'copy'} size={14} />
      </ActionIcon>
    </span>
  )
}

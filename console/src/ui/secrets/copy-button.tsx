import { Button } from '@mantine/core'
import common from '../../messages/en/common.json'
import { Icon } from '../icons/icon'
import styles from './copy-field.module.css'
import { useCopy } from './use-copy'

interface Props {
  /** what is copied, for the name of the button and the announcement */
  label: string
  value: string
  copied?: () => void
}

/** A button that copies a value. */
export function CopyButton({ label, value, copied, ...button }: Props) {
  const { copy, done, name } = useCopy(label, value, copied)
  return (
    <Button
      variant="default"
      size="compact-md"
      className={styles.button as string}
      leftSection={<Icon name={done ? 'check' : 'copy'} />}
      onClick={copy}
      aria-label={name}
      {...button}
    >
      {done ? common.copiedShort() : common.copy()}
    </Button>
  )
}

import { Button } from '@mantine/core'
import { useState } from 'react'
import { layoutWords } from '../words'
import { announce } from './announcer'
import styles from './copy-field.module.css'
import { Icon } from './icons/icon'

interface Props {
  /** names the value for those who cannot see that it stands beside its label */
  label: string
  value: string
}

/** A value to take elsewhere. Confirms the copy in words, without reading the value out. */
export function CopyField({ label, value }: Props) {
  const [copied, setCopied] = useState(false)

  async function copy() {
    // Refused on plain http and by policy; the value can still be selected by hand.
    await navigator.clipboard?.writeText(value).then(
      () => {
        setCopied(true)
        announce(layoutWords.copied(label))
        setTimeout(() => setCopied(false), 2000)
      },
      () => announce(layoutWords.copyFailed),
    )
  }

  return (
    <div className={styles.field}>
      <code className={styles.value}>{value}</code>
      <Button
        variant="default"
        size="compact-md"
        className={styles.button as string}
        leftSection={<Icon name={copied ? 'check' : 'copy'} size={16} />}
        onClick={copy}
        aria-label={layoutWords.copyThis(label)}
      >
        {copied ? layoutWords.copiedShort : layoutWords.copy}
      </Button>
    </div>
  )
}

import { Button } from '@mantine/core'
import { useState } from 'react'
import { layoutWords } from '../words'
import { announce } from './announcer'
import styles from './copy-field.module.css'
import { Icon } from './icons/icon'

interface Props {
  /** what is copied, for the button's name and for what is said afterwards */
  label: string
  value: string
  copied?: () => void
}

/** Takes a value elsewhere. Confirms it in words, without reading the value out. */
export function CopyButton({ label, value, copied = () => {}, ...button }: Props) {
  const [done, setDone] = useState(false)

  async function copy() {
    // Refused on plain http and by policy; the value can still be selected by hand.
    const refused = () => announce(layoutWords.copyFailed)
    if (!navigator.clipboard) return refused()
    await navigator.clipboard.writeText(value).then(() => {
      setDone(true)
      announce(layoutWords.copied(label))
      setTimeout(() => setDone(false), 2000)
      copied()
    }, refused)
  }

  return (
    <Button
      variant="default"
      size="compact-md"
      className={styles.button as string}
      leftSection={<Icon name={done ? 'check' : 'copy'} size={16} />}
      onClick={copy}
      aria-label={done ? layoutWords.copied(label) : layoutWords.copyThis(label)}
      {...button}
    >
      {done ? layoutWords.copiedShort : layoutWords.copy}
    </Button>
  )
}

import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import m from '../../messages/en/details.json'
import { Icon } from '../icons/icon'
import { useCopy } from '../secrets/use-copy'
import styles from './details.module.css'

export interface Detail {
  name: string
  text: string
  /** shown in place of the text */
  value?: ReactNode
  isCode?: boolean
  /** has a button of its own that copies the text */
  isCopied?: boolean
}

/** Names and values, for example for the support. */
export function Details({ details }: { details: Detail[] }) {
  return (
    <dl className={styles.details}>
      {details.map(({ name, text, value = text, isCode, isCopied }) => (
        <div key={name} className={styles.detail}>
          <dt>{name}</dt>
          <dd>
            {isCode ? <code>{value}</code> : value}
            {isCopied && <Copy label={name} value={text} />}
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Copy({ label, value }: { label: string; value: string }) {
  const { copy, done, name } = useCopy(label, value)
  return (
    <button type="button" className={styles.copy} aria-label={name} title={name} onClick={copy}>
      <Icon name={done ? 'check' : 'copy'} />
    </button>
  )
}

/** Copies all names and values. */
export function CopyDetails({ details }: { details: Detail[] }) {
  const text = details.map((detail) => `${detail.name}: ${detail.text}`).join('\n')
  const { copy, done } = useCopy(m.details(), text)
  return (
    <Button variant="default" leftSection={<Icon name={done ? 'check' : 'copy'} />} onClick={copy}>
      {done ? m.copied() : m.copy()}
    </Button>
  )
}

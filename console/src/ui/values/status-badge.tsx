import { Badge } from '@mantine/core'
import type { ReactNode } from 'react'
import styles from './status-badge.module.css'

export type Tone = 'ok' | 'warn' | 'bad' | 'neutral'

const COLORS = { ok: 'green', warn: 'yellow', bad: 'red', neutral: 'gray' } as const

/** A state: a colored dot and a word. @param plain without a background, for the columns of a table */
export function StatusBadge({ tone, plain, children }: { tone: Tone; plain?: boolean; children: ReactNode }) {
  const dot = <span className={styles.dot} data-tone={tone} />
  if (plain)
    return (
      <span className={styles.plain}>
        {dot}
        {children}
      </span>
    )
  return (
    <Badge color={COLORS[tone]} leftSection={dot}>
      {children}
    </Badge>
  )
}

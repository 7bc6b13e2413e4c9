import { Badge } from '@mantine/core'
import type { ReactNode } from 'react'
import styles from './status-badge.module.css'

export type Tone = 'ok' | 'warn' | 'bad' | 'neutral'

const COLORS = { ok: 'green', warn: 'yellow', bad: 'red', neutral: 'gray' } as const

/** A state: a colored dot and a word. */
export function StatusBadge({ tone, children }: { tone: Tone; children: ReactNode }) {
  return (
    <Badge color={COLORS[tone]} leftSection={<span className={styles.dot} data-tone={tone} />}>
      {children}
    </Badge>
  )
}

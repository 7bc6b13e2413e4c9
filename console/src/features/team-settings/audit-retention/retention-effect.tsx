import type { AuditRetention } from '../../../api/contract'
import m from '../../../messages/en/audit-retention.json'
import stack from '../../../ui/layout/stack.module.css'
import { RelativeTime } from '../../../ui/values/relative-time'
import { exactDate } from '../../../ui/values/time'
import { firstKept, type RetentionValues } from './retention-values'

interface Props {
  days: RetentionValues['days']
  /** below it */
  hint?: string
}

/** The effect of a retention on a log. */
export function RetentionEffect({ days, hint }: Props) {
  const from = firstKept(days)
  return (
    <div className={`${stack.dimmed} ${stack.small}`}>
      {days === null && <p>{m.keepsAll()}</p>}
      {from && <p>{m.keepsFrom({ date: exactDate(from) })}</p>}
      {hint && <p>{hint}</p>}
    </div>
  )
}

/** Returns the facts about the entries that have left the log. */
export const movedFacts = ({ entries, at }: NonNullable<AuditRetention['removed']>) => [
  { name: m.moved(), value: m.entries({ count: entries }) },
  { name: m.lastMoved(), value: <RelativeTime at={at} /> },
]

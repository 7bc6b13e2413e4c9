import { Badge } from '@mantine/core'
import { Icon } from '../../../ui/icons/icon'
import { ssoReportWords as reportWords, ssoWords as words } from '../../../words'

const looks = {
  signed_in: { color: 'green', icon: 'done' },
  would_sign_in: { color: 'green', icon: 'done' },
  challenged: { color: 'blue', icon: 'lock' },
  refused: { color: 'red', icon: 'alert' },
} as const

/** What a sign-in came to. */
export function OutcomeBadge({ outcome }: { outcome: string | undefined }) {
  if (outcome === undefined) return <Badge leftSection={<Icon name="circle" size={14} />}>{words.underWayBadge}</Badge>
  const look = Object.hasOwn(looks, outcome) ? looks[outcome as keyof typeof looks] : undefined
  if (!look) return <Badge>{reportWords.outcome(outcome)}</Badge>
  return (
    <Badge color={look.color} leftSection={<Icon name={look.icon} size={14} />}>
      {reportWords.outcome(outcome)}
    </Badge>
  )
}

import m from '../../messages/en/users.json'
import { StatusBadge } from '../../ui/values/status-badge'

const TONES = { active: 'ok', pending: 'warn', suspended: 'neutral' } as const

/** @param status as the service names it */
export function UserStatus({ status }: { status: string }) {
  const tone = TONES[status as keyof typeof TONES] ?? 'neutral'
  return <StatusBadge tone={tone}>{m.statusName({ status })}</StatusBadge>
}

import m from '../../messages/en/users.json'
import { StatusBadge } from '../../ui/values/status-badge'

const TONES = { active: 'ok', pending: 'warn', suspended: 'neutral' } as const

/** @param status as the service names it @param plain see `StatusBadge` */
export function UserStatus({ status, plain = false }: { status: string; plain?: boolean }) {
  return (
    <StatusBadge tone={TONES[status as keyof typeof TONES] ?? 'neutral'} plain={plain}>
      {m.statusName({ status })}
    </StatusBadge>
  )
}

import m from '../../../messages/en/sign-in-report.json'
import { StatusBadge, type Tone } from '../../../ui/values/status-badge'

const TONES: Record<string, Tone> = { signed_in: 'ok', would_sign_in: 'ok', challenged: 'ok', refused: 'bad' }

/** The outcome of a sign-in or a test; running without one. */
export function OutcomeBadge({ outcome = 'running' }: { outcome: string | undefined }) {
  return <StatusBadge tone={TONES[outcome] ?? 'neutral'}>{m.outcome({ outcome })}</StatusBadge>
}

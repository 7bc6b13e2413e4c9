import type { Cleaned } from '../../api/contract'
import stack from '../../ui/stack.module.css'
import { linkWords as words } from '../../words'

/** Lists what the first verification of an email address removed from the account. */
export function RemovedList({ cleaned }: { cleaned: Cleaned }) {
  const removed = [
    ...(cleaned.passwordRemoved ? [words.cleanedPassword] : []),
    ...(cleaned.factorsRemoved > 0 ? [words.cleanedFactors(cleaned.factorsRemoved)] : []),
    ...(cleaned.sessionsEnded > 0 ? [words.cleanedSessions(cleaned.sessionsEnded)] : []),
    ...(cleaned.teamsSetAside > 0 ? [words.cleanedTeams(cleaned.teamsSetAside)] : []),
  ]
  return (
    <ul className={stack.bullets}>
      {(removed.length > 0 ? removed : [words.cleanedNothing]).map((text) => (
        <li key={text}>{text}</li>
      ))}
    </ul>
  )
}

import type { Cleaned } from '../../../api/contract'
import m from '../../../messages/en/links.json'
import stack from '../../../ui/layout/stack.module.css'

/** Lists what the first verification of an email address removed from the account. */
export function RemovedList({ cleaned }: { cleaned: Cleaned }) {
  const removed = [
    ...(cleaned.passwordRemoved ? [m.cleanedPassword()] : []),
    ...(cleaned.factorsRemoved > 0 ? [m.cleanedFactors({ count: cleaned.factorsRemoved })] : []),
    ...(cleaned.sessionsEnded > 0 ? [m.cleanedSessions({ count: cleaned.sessionsEnded })] : []),
    ...(cleaned.teamsSetAside > 0 ? [m.cleanedTeams({ count: cleaned.teamsSetAside })] : []),
  ]
  return (
    <ul className={stack.bullets}>
      {(removed.length > 0 ? removed : [m.cleanedNothing()]).map((text) => (
        <li key={text}>{text}</li>
      ))}
    </ul>
  )
}

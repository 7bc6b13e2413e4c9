import type { Cleaned } from '../../api/contract'
import stack from '../../design/stack.module.css'
import { linkWords as words } from '../../words'

/** What a proof by mail took away from an account that somebody else may have prepared for its owner. */
export function RemovedList({ cleaned }: { cleaned: Cleaned }) {
  const removed = [
    ...(cleaned.passwordRemoved ? [words.cleanedPassword] : []),
    ...(cleaned.passkeySignInEnded > 0 ? [words.cleanedPasskeys(cleaned.passkeySignInEnded)] : []),
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

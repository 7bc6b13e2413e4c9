import type { ReactNode } from 'react'
import { Notice } from '../../design/notice'
import { applicationWords as words } from '../../words'
import { useCurrentTeam } from '../organizations/current-team'
import styles from './write-gate.module.css'

/** Shows settings to whoever may only look at them, and says why they cannot be changed. */
export function WriteGate({ children }: { children: ReactNode }) {
  const { me } = useCurrentTeam()
  if (me.permissions.includes('applications:write')) return children
  return (
    <>
      <Notice kind="info">
        <p>{words.readOnly}</p>
      </Notice>
      <fieldset disabled className={styles.closed}>
        {children}
      </fieldset>
    </>
  )
}

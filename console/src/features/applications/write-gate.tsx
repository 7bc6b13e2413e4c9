import type { ReactNode } from 'react'
import type { Me } from '../../api/contract'
import { Notice } from '../../ui/notice'
import { applicationWords as words } from '../../words'
import { useCurrentTeam } from '../organizations/current-team'
import styles from './write-gate.module.css'

interface Props {
  permission?: Me['permissions'][number]
  /** why nothing can be changed here */
  text?: string
  children: ReactNode
}

/** Shows settings to whoever may only look at them, and says why they cannot be changed. */
export function WriteGate({ permission = 'applications:write', text = words.readOnly, children }: Props) {
  const { me } = useCurrentTeam()
  if (me.permissions.includes(permission)) return children
  return (
    <>
      <Notice kind="info">
        <p>{text}</p>
      </Notice>
      <fieldset disabled className={styles.closed}>
        {children}
      </fieldset>
    </>
  )
}

import type { ReactNode } from 'react'
import type { Me } from '../../api/contract'
import m from '../../messages/en/permissions.json'
import { Notice } from '../../ui/layout/notice'
import { useCurrentTeam } from '../organizations/current-team'
import styles from './write-gate.module.css'

interface Props {
  permission?: Me['permissions'][number]
  /** why the settings can't be changed */
  text?: string
  children: ReactNode
}

/** Disables settings without the permission to change them, and says why. */
export function WriteGate({ permission = 'applications:write', text = m.readOnly(), children }: Props) {
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

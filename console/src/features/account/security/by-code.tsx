import type { ReactNode } from 'react'
import reauthentication from '../../../messages/en/reauthentication.json'
import m from '../../../messages/en/second-factor.json'
import stack from '../../../ui/layout/stack.module.css'
import { reauthenticate } from './calls'
import { CodeForm } from './factors/code-form'

interface Props {
  /** why a code is required */
  text: string
  /** true for a backup code instead of a code of the app */
  backup?: boolean
  confirmed: () => void
  /** closes the dialog; absent on a page */
  close?: (() => void) | undefined
  /** a secondary action beside the buttons */
  aside?: ReactNode
}

/** Confirms the identity of the user with a code. */
export function ByCode({ text, backup = false, confirmed, close, aside }: Props) {
  return (
    <div className={stack.fields}>
      <p>{text}</p>
      <CodeForm
        title={reauthentication.title()}
        label={backup ? m.backupLabel() : m.totpLabel()}
        backup={backup}
        send={(code) => reauthenticate({ code, isBackupCode: backup })}
        done={confirmed}
        cancel={close}
        aside={aside}
      />
    </div>
  )
}

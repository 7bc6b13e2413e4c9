import { Button } from '@mantine/core'
import { useState } from 'react'
import type { Factor } from '../../../api/contract'
import m from '../../../messages/en/second-factor.json'
import { passkeysWork } from '../../../passkeys/ceremony'
import { Or } from '../../../ui/public/or'
import { ByCode } from './by-code'
import { ByPasskey } from './by-passkey'
import { workingFactors } from './factors/what-is-left'

interface Props {
  methods: Factor[]
  /** why it is required, per method */
  passkeyText: string
  codeText: string
  /** label of the button that leaves backup codes */
  other: string
  confirmed: () => void
  /** closes the dialog; absent on a page */
  close?: () => void
}

/** Confirms the identity of the user with any of their two-step methods. */
export function ByFactor({ methods, passkeyText, codeText, other, confirmed, close }: Props) {
  // If a team has reset the user's factors, the list is empty, although the account's own factors remain valid.
  const isUnknown = workingFactors(methods).length === 0
  const passkey = passkeysWork && (isUnknown || workingFactors(methods, 'PASSKEY').length > 0)
  const authenticator = isUnknown || workingFactors(methods, 'TOTP').length > 0
  const hasOther = passkey || authenticator
  const [backup, setBackup] = useState(!hasOther)
  const change = (
    <Button variant={close ? 'subtle' : 'default'} fullWidth={!close} onClick={() => setBackup(!backup)}>
      {backup ? other : m.instead({ method: 'BACKUP_CODE' })}
    </Button>
  )
  const footer = close && { close, aside: (!backup || hasOther) && change }
  return (
    <>
      {backup ? (
        <ByCode key="backup" backup text={m.backupLead()} confirmed={confirmed} {...footer} />
      ) : (
        <>
          {passkey && (
            <ByPasskey text={passkeyText} confirmed={confirmed} footer={authenticator ? undefined : footer} />
          )}
          {authenticator && <ByCode text={codeText} confirmed={confirmed} {...footer} />}
        </>
      )}
      {!close && (!backup || hasOther) && (
        <div>
          <Or />
          {change}
        </div>
      )}
    </>
  )
}

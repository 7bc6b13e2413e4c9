import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Me } from '../../../api/contract'
import { showDone } from '../../../api/toasts'
import m from '../../../messages/en/security.json'
import { Dialog } from '../../../ui/dialogs/dialog'
import { changePassword, setPassword } from './calls'
import { MethodRow } from './method-row'
import { PasswordForm } from './password-form'
import { ReauthenticateDialog } from './reauthenticate-dialog'
import { useReauthentication } from './use-reauthentication'

/** The password of the account, which is changed or set in a dialog. */
export function PasswordMethod({ me }: { me: Me }) {
  const client = useQueryClient()
  const { guarded, dialog } = useReauthentication()
  const [opened, setOpened] = useState(false)
  const { hasPassword } = me
  const { email } = me.user
  const verb = hasPassword ? m.change() : m.set()
  const close = () => setOpened(false)
  const isCovered = dialog.asking !== null

  async function saved() {
    close()
    await client.invalidateQueries({ queryKey: ['mine'] })
    showDone(hasPassword ? m.changed() : m.passwordSet())
  }

  return (
    <MethodRow
      icon="key"
      name={m.password()}
      state={hasPassword ? { tone: 'ok', text: m.isSet() } : { tone: 'neutral', text: m.isNotSet() }}
      about={hasPassword ? m.changeAbout() : m.setAbout()}
      action={
        <Button variant="default" onClick={() => setOpened(true)}>
          {verb}
        </Button>
      }
    >
      <Dialog opened={opened} onClose={close} title={verb} closeOnEscape={!isCovered} closeOnClickOutside={!isCovered}>
        <PasswordForm
          email={email}
          hasPassword={hasPassword}
          policy={me.passwordPolicy}
          label={m.password()}
          submit={verb}
          save={(current, next) => guarded(() => (hasPassword ? changePassword(current, next) : setPassword(next)))}
          saved={saved}
          close={close}
        />
      </Dialog>
      <ReauthenticateDialog email={email} hasPassword={hasPassword} {...dialog} />
    </MethodRow>
  )
}

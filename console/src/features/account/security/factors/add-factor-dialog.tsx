import m from '../../../../messages/en/factors.json'
import { Dialog } from '../../../../ui/dialogs/dialog'
import { AuthenticatorSetup } from './authenticator-setup'
import { BackupCodesOnce } from './backup-codes-once'
import type { AddFactor } from './use-add-factor'

interface Props {
  adding: AddFactor
  email: string
  /** another dialog is open above this one and handles Escape */
  covered: boolean
}

/** The dialog steps of adding a method: the authenticator app, and the backup codes of the first method. */
export function AddFactorDialog({ adding, email, covered }: Props) {
  const { setup, codes } = adding
  return (
    <Dialog
      opened={setup !== null || codes !== null}
      onClose={adding.cancelAuthenticator}
      title={codes ? m.codesTitle() : m.setUpTitle()}
      size="lg"
      closeOnEscape={!codes && !covered}
      closeOnClickOutside={false}
      withCloseButton={!codes}
    >
      {codes ? (
        <BackupCodesOnce email={email} codes={codes} done={adding.codesStored} />
      ) : (
        setup && (
          <AuthenticatorSetup setup={setup} confirm={adding.confirmAuthenticator} cancel={adding.cancelAuthenticator} />
        )
      )}
    </Dialog>
  )
}

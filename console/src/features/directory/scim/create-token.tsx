import { Modal } from '@mantine/core'
import { useState } from 'react'
import { serviceAddress } from '../../../api/service-address'
import { SecretOnce } from '../../../ui/secret-once'
import { scimVendorWords, scimWords as words } from '../../../words'
import { ReauthenticateDialog } from '../../credentials/reauthenticate-dialog'
import { useReauthentication } from '../../credentials/use-reauthentication'
import { useCurrentTeam } from '../../organizations/current-team'
import { createScimToken } from './queries'
import { TokenForm } from './token-form'
import { useScimSearch } from './use-scim-search'
import { scimAddress } from './vendors'

interface Props {
  opened: boolean
  close: () => void
  /** the token was shown, and is forgotten here */
  stored: () => void
}

/**
 * Makes a token: what it is called and until when it works, a proof of who asks where one is due, and the token, this once. The form
 * stays under the proof, so that a proof that fails costs nothing that was typed.
 */
export function MakeToken({ opened, close, stored }: Props) {
  const { team, me } = useCurrentTeam()
  const { search } = useScimSearch()
  const { guarded, dialog } = useReauthentication()
  const [shown, setShown] = useState<{ name: string; secret: string } | null>(null)
  const covered = dialog.asking !== null
  const vendor = search.from ?? 'okta'
  return (
    <>
      <Modal
        opened={opened}
        onClose={close}
        title={words.newTitle}
        closeOnEscape={!covered}
        closeOnClickOutside={!covered}
      >
        <TokenForm
          name={scimVendorWords[vendor].tokenName}
          make={async (wanted) => {
            const { made, secret } = await guarded(() => createScimToken(team.id, wanted))
            setShown({ name: made.name, secret })
          }}
          close={close}
        />
      </Modal>
      <ReauthenticateDialog email={me.user.email} hasPassword={me.hasPassword} {...dialog} />
      {!opened && shown && (
        <SecretOnce
          title={words.secretTitle(shown.name)}
          label={words.secretLabel}
          secret={shown.secret}
          file={{
            name: 'scim.env',
            text: `SCIM_BASE_URL=${scimAddress(serviceAddress(), team.slug, vendor)}\nSCIM_TOKEN=${shown.secret}\n`,
          }}
          close={() => {
            setShown(null)
            stored()
          }}
        />
      )}
    </>
  )
}

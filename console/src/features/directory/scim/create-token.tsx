import { Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import { serviceAddress } from '../../../api/service-address'
import { useWrite } from '../../../api/use-write'
import m from '../../../messages/en/scim.json'
import vendors from '../../../messages/en/scim-vendors.json'
import { FormDialog } from '../../../ui/form/form-dialog'
import { useSchemaForm } from '../../../ui/form/use-schema-form'
import { SecretOnce } from '../../../ui/secrets/secret-once'
import { ReauthenticateDialog } from '../../account/security/reauthenticate-dialog'
import { useReauthentication } from '../../account/security/use-reauthentication'
import { useCurrentTeam } from '../../organizations/current-team'
import { createScimToken, scimTokensQuery } from './queries'
import { EXPIRIES, type TokenValues, tokenBody, tokenSchema } from './token-values'
import { useScimSearch } from './use-scim-search'
import { scimBaseUrl } from './vendors'

interface Props {
  opened: boolean
  close: () => void
  /** runs when the shown secret was stored */
  stored: () => void
}

/** Creates a token: its name and expiry, a reauthentication if required, and the secret, which is shown once. */
export function CreateToken({ opened, close, stored }: Props) {
  const { team } = useCurrentTeam()
  const { vendor } = useScimSearch()
  // Held here alone: neither the query cache nor the mutation cache contains the secret.
  const [shown, setShown] = useState<{ name: string; secret: string } | null>(null)
  return (
    <>
      {opened && <TokenDialog close={close} created={(name, secret) => setShown({ name, secret })} />}
      {!opened && shown && (
        <SecretOnce
          title={m.secretTitle({ name: shown.name })}
          label={m.secretLabel()}
          secret={shown.secret}
          file={{
            name: 'scim.env',
            text: `SCIM_BASE_URL=${scimBaseUrl(serviceAddress(), team.slug, vendor)}\nSCIM_TOKEN=${shown.secret}\n`,
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

interface DialogProps {
  close: () => void
  created: (name: string, secret: string) => void
}

/** The form stays under the reauthentication, so that closing that dialog loses no input. */
function TokenDialog({ close, created }: DialogProps) {
  const { team, me } = useCurrentTeam()
  const { vendor } = useScimSearch()
  const { guarded, dialog } = useReauthentication()
  const create = useWrite({
    act: async (values: TokenValues) => {
      const body = tokenBody(values)
      created(body.name ?? '', await guarded(() => createScimToken(team.id, body)))
    },
    refresh: [scimTokensQuery(team.id).queryKey],
    showsError: true,
  })
  const { form, problem, busy, changes, onSubmit } = useSchemaForm({
    schema: tokenSchema,
    initial: { name: vendors.tokenName({ vendor }), expiry: 'never', expiresInDays: '' } as TokenValues,
    send: create.mutateAsync,
    done: close,
    mode: 'controlled',
  })
  return (
    <>
      <FormDialog
        opened
        close={close}
        title={m.create()}
        verb={m.create()}
        busy={busy}
        changes={changes}
        problem={problem}
        onSubmit={onSubmit}
        covered={dialog.asking !== null}
      >
        <TextInput
          label={m.name()}
          description={m.nameHelp()}
          autoComplete="off"
          data-autofocus
          {...form.getInputProps('name')}
        />
        <Select
          label={m.expiry()}
          description={m.expiryHelp()}
          allowDeselect={false}
          data={EXPIRIES.map((days) => ({ value: days, label: m.expiryChoice({ days }) }))}
          {...form.getInputProps('expiry')}
        />
        {form.values.expiry === 'other' && (
          <TextInput label={m.days()} inputMode="numeric" autoComplete="off" {...form.getInputProps('expiresInDays')} />
        )}
      </FormDialog>
      <ReauthenticateDialog email={me.user.email} hasPassword={me.hasPassword} {...dialog} />
    </>
  )
}

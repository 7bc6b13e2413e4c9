import { TextInput } from '@mantine/core'
import { check, object, pipe, string, trim } from 'valibot'
import { useWrite } from '../../../api/use-write'
import m from '../../../messages/en/sign-in-providers.json'
import { FormDialog } from '../../../ui/form/form-dialog'
import { technical } from '../../../ui/form/technical'
import { useSchemaForm } from '../../../ui/form/use-schema-form'
import { useCurrentTeam } from '../../organizations/current-team'
import { isDomain } from '../settings/provider-form'
import { addDomain, domainsQuery } from './queries'

const schema = object({
  domain: pipe(
    string(),
    trim(),
    check(isDomain, () => m.domainMissing()),
  ),
})

export function DomainForm({ close }: { close: () => void }) {
  const { team } = useCurrentTeam()
  const add = useWrite({
    act: ({ domain }: { domain: string }) => addDomain(team.id, domain.trim()),
    refresh: [domainsQuery(team.id).queryKey],
    done: (_, { domain }) => m.domainAdded({ domain: domain.trim() }),
    showsError: true,
  })
  const { form, problem, busy, changes, onSubmit } = useSchemaForm({
    schema,
    initial: { domain: '' },
    send: add.mutateAsync,
    done: close,
  })
  return (
    <FormDialog
      opened
      close={close}
      title={m.addDomain()}
      verb={m.addDomain()}
      busy={busy}
      changes={changes}
      problem={problem}
      onSubmit={onSubmit}
    >
      <TextInput
        {...technical}
        label={m.domain()}
        placeholder="example.com"
        data-autofocus
        key={form.key('domain')}
        {...form.getInputProps('domain')}
      />
    </FormDialog>
  )
}

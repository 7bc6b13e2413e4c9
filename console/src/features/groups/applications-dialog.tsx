import { MultiSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { array, object, string } from 'valibot'
import common from '../../messages/en/common.json'
import m from '../../messages/en/groups.json'
import { FormDialog } from '../../ui/form/form-dialog'
import { useSchemaForm } from '../../ui/form/use-schema-form'
import { applicationsQuery } from '../applications/queries'
import { useCurrentTeam } from '../organizations/current-team'

const schema = object({ applicationIds: array(string()) })

interface Props {
  /** IDs */
  assigned: string[]
  send: (values: { applicationIds: string[] }) => Promise<unknown>
  close: () => void
}

/** Chooses the applications that a group gives access to. */
export function ApplicationsDialog({ assigned, send, close }: Props) {
  const { team } = useCurrentTeam()
  const applications = useQuery(applicationsQuery(team.id))
  const initial = { applicationIds: assigned }
  const { form, problem, busy, changes, onSubmit } = useSchemaForm({ schema, initial, send, done: close })
  return (
    <FormDialog
      opened
      close={close}
      title={m.assign()}
      verb={common.save()}
      busy={busy}
      changes={changes}
      problem={problem}
      onSubmit={onSubmit}
    >
      <MultiSelect
        key={form.key('applicationIds')}
        label={m.applications()}
        searchable
        data={(applications.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
        data-autofocus
        {...form.getInputProps('applicationIds')}
      />
    </FormDialog>
  )
}

import { Textarea, TextInput } from '@mantine/core'
import { minLength, object, pipe, string, trim } from 'valibot'
import common from '../../messages/en/common.json'
import m from '../../messages/en/groups.json'
import { atMost } from '../../ui/form/at-most'
import { FormDialog } from '../../ui/form/form-dialog'
import { useSchemaForm } from '../../ui/form/use-schema-form'

const schema = object({
  name: pipe(
    string(),
    trim(),
    minLength(1, () => m.nameMissing()),
    atMost(200),
  ),
  description: pipe(string(), trim(), atMost(1000)),
})

interface Props {
  /** absent for a new group */
  group?: { name: string; description: string | null }
  send: (fields: { name: string; description: string }) => Promise<unknown>
  close: () => void
}

/** Creates or edits a group. */
export function GroupDialog({ group, send, close }: Props) {
  const initial = { name: group?.name ?? '', description: group?.description ?? '' }
  const { form, problem, busy, changes, onSubmit } = useSchemaForm({ schema, initial, send, done: close })
  return (
    <FormDialog
      opened
      close={close}
      title={group ? m.editTitle({ name: group.name }) : m.create()}
      verb={group ? common.save() : m.create()}
      busy={busy}
      changes={changes}
      problem={problem}
      onSubmit={onSubmit}
    >
      <TextInput key={form.key('name')} label={m.name()} data-autofocus {...form.getInputProps('name')} />
      <Textarea
        key={form.key('description')}
        label={m.description()}
        autosize
        minRows={2}
        {...form.getInputProps('description')}
      />
    </FormDialog>
  )
}

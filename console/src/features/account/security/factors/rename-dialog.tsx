import { TextInput } from '@mantine/core'
import { nonEmpty, object, pipe, string, trim } from 'valibot'
import m from '../../../../messages/en/factors.json'
import { atMost } from '../../../../ui/form/at-most'
import { FormDialog } from '../../../../ui/form/form-dialog'
import { useSchemaForm } from '../../../../ui/form/use-schema-form'

const schema = object({ name: pipe(string(), trim(), nonEmpty(m.nameMissing()), atMost(100)) })

interface Props {
  name: string
  /** called when the dialog has closed: renaming may open the reauthentication dialog */
  rename: (name: string) => void
  close: () => void
}

export function RenameDialog({ name, rename, close }: Props) {
  const { form, problem, busy, changes, onSubmit } = useSchemaForm({
    schema,
    initial: { name },
    send: async (values) => {
      close()
      if (values.name.trim() !== name) rename(values.name.trim())
    },
  })
  return (
    <FormDialog
      opened
      close={close}
      title={m.renameTitle()}
      verb={m.rename()}
      busy={busy}
      changes={changes}
      problem={problem}
      onSubmit={onSubmit}
    >
      <TextInput
        key={form.key('name')}
        label={m.nameLabel()}
        autoComplete="off"
        data-autofocus
        {...form.getInputProps('name')}
      />
    </FormDialog>
  )
}

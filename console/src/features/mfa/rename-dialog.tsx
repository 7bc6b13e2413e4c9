import { Button, Modal } from '@mantine/core'
import common from '../../messages/en/common.json'
import m from '../../messages/en/factors.json'
import { Field } from '../../ui/form/field'
import { useForm } from '../../ui/form/use-form'
import stack from '../../ui/stack.module.css'

interface Props {
  opened: boolean
  name: string
  /** called when the dialog has closed: renaming may open the reauthentication dialog */
  rename: (name: string) => void
  close: () => void
}

export function RenameDialog({ opened, ...form }: Props) {
  return (
    <Modal opened={opened} onClose={form.close} title={m.renameTitle()}>
      <RenameForm {...form} />
    </Modal>
  )
}

function RenameForm({ name, rename, close }: Omit<Props, 'opened'>) {
  const { form, errors } = useForm({
    names: ['name'],
    check: (values) => (values.name.trim() ? {} : { name: m.nameMissing() }),
    send: async (values) => {
      close()
      if (values.name.trim() !== name) rename(values.name.trim())
    },
  })
  return (
    <form {...form} aria-label={m.renameTitle()}>
      <Field
        name="name"
        label={m.nameLabel()}
        defaultValue={name}
        maxLength={100}
        autoComplete="off"
        data-autofocus
        error={errors.name}
      />
      <div className={`${stack.row} ${stack.end}`}>
        <Button variant="default" onClick={close}>
          {common.cancel()}
        </Button>
        <Button type="submit">{m.rename()}</Button>
      </div>
    </form>
  )
}

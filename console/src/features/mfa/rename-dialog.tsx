import { Button, Modal } from '@mantine/core'
import { Field } from '../../ui/form/field'
import { useForm } from '../../ui/form/use-form'
import stack from '../../ui/stack.module.css'
import { layoutWords, factorWords as words } from '../../words'

interface Props {
  opened: boolean
  name: string
  /** goes on without the dialog: the new name may need a proof of who gives it, which is a dialog of its own */
  rename: (name: string) => void
  close: () => void
}

export function RenameDialog({ opened, ...form }: Props) {
  return (
    <Modal opened={opened} onClose={form.close} title={words.renameTitle}>
      <RenameForm {...form} />
    </Modal>
  )
}

function RenameForm({ name, rename, close }: Omit<Props, 'opened'>) {
  const { form, errors } = useForm({
    names: ['name'],
    check: (values) => (values.name.trim() ? {} : { name: words.nameMissing }),
    send: async (values) => {
      close()
      if (values.name.trim() !== name) rename(values.name.trim())
    },
  })
  return (
    <form {...form} aria-label={words.renameTitle}>
      <Field
        name="name"
        label={words.nameLabel}
        defaultValue={name}
        maxLength={100}
        autoComplete="off"
        data-autofocus
        error={errors.name}
      />
      <div className={`${stack.row} ${stack.end}`}>
        <Button variant="default" onClick={close}>
          {layoutWords.cancel}
        </Button>
        <Button type="submit">{words.rename}</Button>
      </div>
    </form>
  )
}

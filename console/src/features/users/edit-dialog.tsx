import { TextInput } from '@mantine/core'
import { object, pipe, regex, string, trim } from 'valibot'
import common from '../../messages/en/common.json'
import m from '../../messages/en/users.json'
import { atMost } from '../../ui/form/at-most'
import { FormDialog } from '../../ui/form/form-dialog'
import { useSchemaForm } from '../../ui/form/use-schema-form'
import type { UserChanges } from './mutations'
import type { User } from './queries'
import { userName } from './user-name'

const line = pipe(string(), trim(), atMost(100))
const schema = object({
  firstName: line,
  lastName: line,
  department: line,
  title: line,
  phone: pipe(string(), trim(), atMost(50)),
  locale: pipe(
    string(),
    trim(),
    atMost(35),
    regex(/^([A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*)?$/, () => m.localeInvalid()),
  ),
})

const FIELDS = [
  ['firstName', m.firstName],
  ['lastName', m.lastName],
  ['department', m.department],
  ['title', m.jobTitle],
  ['phone', m.phone],
  ['locale', m.locale],
] as const

type Field = (typeof FIELDS)[number][0]

interface Props {
  user: User
  save: (changes: UserChanges) => Promise<unknown>
  close: () => void
}

/** Edits what this team stores about a user. An empty field removes the value. */
export function EditDialog({ user, save, close }: Props) {
  const initial = Object.fromEntries(FIELDS.map(([field]) => [field, user[field] ?? ''])) as Record<Field, string>
  const send = (values: Record<Field, string>) => {
    const changed = FIELDS.filter(([field]) => values[field] !== initial[field])
    return save(Object.fromEntries(changed.map(([field]) => [field, values[field] || null])))
  }
  const { form, problem, busy, changes, onSubmit } = useSchemaForm({ schema, initial, send, done: close })
  return (
    <FormDialog
      opened
      close={close}
      title={m.editTitle({ name: userName(user) })}
      verb={common.save()}
      busy={busy}
      changes={changes}
      problem={problem}
      onSubmit={onSubmit}
    >
      {FIELDS.map(([field, label], index) => (
        <TextInput
          key={form.key(field)}
          label={label()}
          data-autofocus={index === 0 || undefined}
          {...form.getInputProps(field)}
        />
      ))}
    </FormDialog>
  )
}

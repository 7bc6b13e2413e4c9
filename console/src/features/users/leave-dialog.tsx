import { TextInput } from '@mantine/core'
import { check, object, pipe, string } from 'valibot'
import common from '../../messages/en/common.json'
import m from '../../messages/en/users.json'
import { FormDialog } from '../../ui/form/form-dialog'
import { useSchemaForm } from '../../ui/form/use-schema-form'
import type { User } from './queries'

/** The end of a day in UTC, in ISO 8601. */
const endOf = (day: string): string => `${day}T23:59:59.000Z`

const schema = object({
  day: pipe(
    string(),
    check(
      (day) => day === '' || Date.parse(endOf(day)) > Date.now(),
      () => m.leaveDateInvalid(),
    ),
  ),
})

interface Props {
  user: User
  save: (changes: { leaveAt: string | null }) => Promise<unknown>
  close: () => void
}

/** Sets the day after which a user is suspended in this team. */
export function LeaveDialog({ user, save, close }: Props) {
  const { form, problem, busy, changes, onSubmit } = useSchemaForm({
    schema,
    initial: { day: user.leaveAt?.slice(0, 10) ?? '' },
    send: ({ day }) => save({ leaveAt: day === '' ? null : endOf(day) }),
    done: close,
  })
  return (
    <FormDialog
      opened
      close={close}
      title={m.setLeaveDate()}
      verb={common.save()}
      busy={busy}
      changes={changes}
      problem={problem}
      onSubmit={onSubmit}
    >
      <TextInput
        key={form.key('day')}
        type="date"
        label={m.leaveDate()}
        description={m.leaveDateHelp()}
        data-autofocus
        {...form.getInputProps('day')}
      />
    </FormDialog>
  )
}

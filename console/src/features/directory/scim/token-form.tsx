import { useState } from 'react'
import type { NewScimToken } from '../../../api/contract'
import { DialogForm } from '../../../ui/form/dialog-form'
import { Field } from '../../../ui/form/field'
import { Select } from '../../../ui/form/select'
import { useForm } from '../../../ui/form/use-form'
import { scimWords as words } from '../../../words'
import { checkToken, tokenOf } from './token-values'

interface Props {
  /** what it may be called */
  name: string
  make: (token: NewScimToken) => Promise<void>
  close: () => void
}

const ends = [
  ...Object.entries(words.endChoice).map(([value, name]) => ({ value, name })),
  { value: 'other', name: words.endOther },
].sort((a, b) => order(a.value) - order(b.value))

/** By length, with no end at all first and one's own choice last. */
function order(value: string): number {
  return value === 'never' ? 0 : value === 'other' ? Number.POSITIVE_INFINITY : Number(value)
}

export function TokenForm({ name, make, close }: Props) {
  const [end, setEnd] = useState('never')
  const { form, errors, problem, busy } = useForm({
    names: ['name', 'end', 'expiresInDays'],
    check: checkToken,
    send: (values) => make(tokenOf(values)),
    saved: close,
  })
  return (
    <DialogForm label={words.newTitle} form={form} busy={busy} problem={problem} verb={words.make} close={close}>
      <Field
        name="name"
        label={words.name}
        hint={words.nameHint}
        defaultValue={name}
        autoComplete="off"
        data-autofocus
        error={errors.name}
      />
      <Select
        name="end"
        label={words.end}
        hint={words.endHint}
        choices={ends}
        value={end}
        onChange={(event) => setEnd(event.target.value)}
      />
      {end === 'other' && (
        <Field
          name="expiresInDays"
          label={words.days}
          inputMode="numeric"
          autoComplete="off"
          error={errors.expiresInDays}
        />
      )}
    </DialogForm>
  )
}

import type { NewSigningKey } from '../../../../api/contract'
import { ChoiceList } from '../../../../ui/form/choice-list'
import { DialogForm } from '../../../../ui/form/dialog-form'
import { Select } from '../../../../ui/form/select'
import { useForm } from '../../../../ui/form/use-form'
import { tokenWords as words } from '../../../../words'

const algorithms = ['RS256', 'ES256', 'PS256', 'RS384', 'RS512', 'ES384', 'ES512', 'PS384', 'PS512'] as const

interface Props {
  make: (key: NewSigningKey) => void
  close: () => void
}

export function GenerateKeyForm({ make, close }: Props) {
  const { form, problem, busy } = useForm({
    names: ['algorithm', 'isDefault'],
    send: async ({ algorithm, isDefault }) => {
      // What the list offers is what the service takes.
      make({ algorithm: algorithm as NewSigningKey['algorithm'], isDefault: isDefault === 'on' })
    },
  })
  return (
    <DialogForm
      label={words.generateTitle}
      form={form}
      busy={busy}
      problem={problem}
      verb={words.generateVerb}
      close={close}
    >
      <Select
        name="algorithm"
        label={words.algorithm}
        defaultValue="RS256"
        choices={algorithms.map((value) => ({ value, name: words.algorithmName(value) }))}
        data-autofocus
      />
      <ChoiceList
        legend={words.keyUse}
        name="isDefault"
        chosen={[]}
        choices={[{ value: 'on', title: words.keySigns, about: words.keySignsAbout }]}
      />
    </DialogForm>
  )
}

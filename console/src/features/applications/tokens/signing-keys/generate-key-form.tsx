import { Checkbox, Select } from '@mantine/core'
import { boolean, object, string } from 'valibot'
import type { NewSigningKey } from '../../../../api/contract'
import m from '../../../../messages/en/tokens.json'
import { FormDialog } from '../../../../ui/form/form-dialog'
import { useSchemaForm } from '../../../../ui/form/use-schema-form'

const ALGORITHMS = ['RS256', 'ES256', 'PS256', 'RS384', 'RS512', 'ES384', 'ES512', 'PS384', 'PS512'] as const

const schema = object({ algorithm: string(), isDefault: boolean() })

interface Props {
  generate: (key: NewSigningKey) => void
  close: () => void
}

export function GenerateKeyForm({ generate, close }: Props) {
  const { form, problem, busy, changes, onSubmit } = useSchemaForm({
    schema,
    initial: { algorithm: 'RS256' as string, isDefault: false },
    send: async ({ algorithm, isDefault }) =>
      // The list offers only what the service accepts.
      generate({ algorithm: algorithm as NewSigningKey['algorithm'], isDefault }),
  })
  return (
    <FormDialog
      opened
      close={close}
      title={m.generateTitle()}
      verb={m.generate()}
      busy={busy}
      changes={changes}
      problem={problem}
      onSubmit={onSubmit}
    >
      <Select
        label={m.algorithm()}
        allowDeselect={false}
        data={ALGORITHMS.map((algorithm) => ({ value: algorithm, label: m.algorithmAbout({ algorithm }) }))}
        data-autofocus
        key={form.key('algorithm')}
        {...form.getInputProps('algorithm')}
      />
      <Checkbox
        label={m.keySigns()}
        description={m.keySignsAbout()}
        key={form.key('isDefault')}
        {...form.getInputProps('isDefault', { type: 'checkbox' })}
      />
    </FormDialog>
  )
}

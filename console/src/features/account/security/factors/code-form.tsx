import { TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import m from '../../../../messages/en/second-factor.json'
import { DialogActions } from '../../../../ui/dialogs/dialog-actions'
import { ProblemMessage, useRetryIn } from '../../../../ui/form/problem-message'
import { useSchemaForm } from '../../../../ui/form/use-schema-form'
import stack from '../../../../ui/layout/stack.module.css'
import { CodeBoxes } from '../../../../ui/public/code-boxes'
import { appCodeSchema, backupCodeSchema } from '../../../sign-in/second-factor/code-schema'

interface Props {
  /** names the form */
  title: string
  label: string
  /** true for a backup code, which has letters */
  backup?: boolean
  /** @throws Problem if the code is wrong */
  send: (code: string) => Promise<unknown>
  done?: () => void
  /** adds a Cancel button */
  cancel?: (() => void) | undefined
  /** a secondary action beside the buttons */
  aside?: ReactNode
}

/** Sends a code of an authenticator app, or a backup code. */
export function CodeForm({ title, label, backup = false, send, done, cancel, aside }: Props) {
  const { form, problem, busy, onSubmit } = useSchemaForm({
    schema: backup ? backupCodeSchema : appCodeSchema,
    initial: { code: '' },
    send: ({ code }) =>
      send(code.replace(/\s/g, '')).catch((thrown) => {
        // After the render: the disabled button has lost the focus.
        setTimeout(() => form.getInputNode('code')?.focus())
        throw thrown
      }),
    ...(done && { done }),
  })
  const retryIn = useRetryIn(problem)
  return (
    <form onSubmit={onSubmit} noValidate method="post" aria-label={title}>
      <div className={stack.fields}>
        <ProblemMessage problem={problem} />
        {backup ? (
          <TextInput
            key={form.key('code')}
            name="code"
            label={label}
            placeholder="xxxx-xxxx"
            autoComplete="off"
            data-autofocus
            {...form.getInputProps('code')}
          />
        ) : (
          <CodeBoxes key={form.key('code')} name="code" label={label} {...form.getInputProps('code')} />
        )}
        <DialogActions verb={m.submit()} close={cancel} busy={busy} disabled={retryIn > 0} aside={aside} />
      </div>
    </form>
  )
}

import { Button, Group, Stack, TextInput } from '@mantine/core'
import { nonEmpty, object, pipe, string, trim } from 'valibot'
import common from '../../../../messages/en/common.json'
import m from '../../../../messages/en/second-factor.json'
import { ProblemMessage, useRetryIn } from '../../../../ui/form/problem-message'
import { useSchemaForm } from '../../../../ui/form/use-schema-form'

const schema = object({ code: pipe(string(), trim(), nonEmpty(m.codeMissing())) })

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
  cancel?: () => void
}

/** Sends a code of an authenticator app, or a backup code. */
export function CodeForm({ title, label, backup = false, send, done, cancel }: Props) {
  const { form, problem, busy, onSubmit } = useSchemaForm({
    schema,
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
      <Stack gap="sm">
        <ProblemMessage problem={problem} />
        <TextInput
          key={form.key('code')}
          label={label}
          autoComplete="one-time-code"
          inputMode={backup ? 'text' : 'numeric'}
          data-autofocus
          {...form.getInputProps('code')}
        />
        <Group justify="flex-end" gap="xs">
          {cancel && (
            <Button variant="default" onClick={cancel}>
              {common.cancel()}
            </Button>
          )}
          <Button type="submit" loading={busy} disabled={retryIn > 0}>
            {m.submit()}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

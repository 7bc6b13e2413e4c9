import { schemaResolver, useForm } from '@mantine/form'
import { useState } from 'react'
import type { GenericSchema } from 'valibot'
import { asProblem, type Problem } from '../../api/problem'
import { sentenceOf } from './password-rules'

interface Options<Values extends Record<string, unknown>> {
  /** what the fields must be before anything is sent */
  schema: GenericSchema<Values>
  initial: Values
  /** Sends the values, by a write that shows no error itself. */
  send: (values: Values) => Promise<unknown>
  /** runs after `send` succeeded */
  done?: () => void
}

/**
 * A form with a schema, and the number of fields that were changed. Fields are checked when they lose the focus and on submit; errors of the service appear at the fields that
 * they name, all others in `problem`.
 */
export function useSchemaForm<Values extends Record<string, unknown>>({
  schema,
  initial,
  send,
  done,
}: Options<Values>) {
  const [problem, setProblem] = useState<Problem | null>(null)
  const [busy, setBusy] = useState(false)
  const [changes, setChanges] = useState(0)
  const form = useForm<Values>({
    mode: 'uncontrolled',
    initialValues: initial,
    validate: schemaResolver(schema, { sync: true }),
    validateInputOnBlur: true,
    onValuesChange: (values) => setChanges(differences(initial, values)),
  })
  const showErrors = (rejection: Problem) => {
    const errors = rejection.errors.flatMap((error) => {
      const [field = ''] = error.path.split('/').filter(Boolean)
      return field in initial ? [[field, sentenceOf(error)] as const] : []
    })
    form.setErrors(Object.fromEntries(errors))
    setProblem(errors.length > 0 ? null : rejection)
  }
  const submit = async (values: Values) => {
    setProblem(null)
    setBusy(true)
    try {
      await send(values)
      form.resetDirty(values)
      setChanges(0)
      done?.()
    } catch (thrown) {
      showErrors(asProblem(thrown))
    } finally {
      setBusy(false)
    }
  }
  return { form, problem, busy, changes, onSubmit: form.onSubmit(submit) }
}

/** Returns the number of fields whose values differ. */
const differences = <Values extends Record<string, unknown>>(before: Values, after: Values): number =>
  Object.keys(before).filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field])).length

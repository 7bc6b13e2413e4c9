import { schemaResolver, useForm } from '@mantine/form'
import { type FocusEvent, useRef, useState } from 'react'
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

/** Whether two values of a field are the same. */
const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

/**
 * A form with a schema. Fields are checked when they lose the focus and on submit; errors of the service appear at the fields that
 * they name, all others in `problem`. The first invalid field receives the focus.
 */
export function useSchemaForm<Values extends Record<string, unknown>>({
  schema,
  initial,
  send,
  done,
}: Options<Values>) {
  const [problem, setProblem] = useState<Problem | null>(null)
  const [busy, setBusy] = useState(false)
  const saved = useRef(initial)
  const [values, setValues] = useState(initial)
  const form = useForm<Values>({
    mode: 'uncontrolled',
    initialValues: initial,
    validate: schemaResolver(schema, { sync: true }),
    validateInputOnBlur: true,
    onValuesChange: setValues,
  })
  const focusFirst = (errors: object) => {
    const [field] = Object.keys(errors)
    // After the next paint: a field that was disabled during the request can't be focused yet.
    if (field) setTimeout(() => form.getInputNode(field)?.focus())
  }
  const showErrors = (rejection: Problem) => {
    const errors = rejection.errors.flatMap((error) => {
      const [field = ''] = error.path.split('/').filter(Boolean)
      return field in initial ? [[field, sentenceOf(error)] as const] : []
    })
    form.setErrors(Object.fromEntries(errors))
    focusFirst(Object.fromEntries(errors))
    setProblem(errors.length > 0 ? null : rejection)
  }
  const submit = async (values: Values) => {
    setProblem(null)
    setBusy(true)
    try {
      await send(values)
      form.resetDirty(values)
      saved.current = values
      setValues(values)
      done?.()
    } catch (thrown) {
      showErrors(asProblem(thrown))
    } finally {
      setBusy(false)
    }
  }
  // The submit button validates everything itself: a message that appears between press and release would move it away.
  const getInputProps: typeof form.getInputProps = (path, options) => {
    const props = form.getInputProps(path, options)
    const onBlur = (event?: FocusEvent) => {
      const next = event?.relatedTarget
      if (!(next instanceof HTMLButtonElement && next.type === 'submit')) props.onBlur?.(event)
    }
    return { ...props, onBlur }
  }
  /** Restores the saved values. */
  const discard = () => {
    form.setValues(saved.current)
    form.clearErrors()
    setProblem(null)
  }
  /** Number of fields whose value is not saved. */
  const changes = Object.keys(values).filter((field) => !isSame(values[field], saved.current[field])).length
  return {
    form: { ...form, getInputProps },
    problem,
    busy,
    values,
    changes,
    discard,
    onSubmit: form.onSubmit(submit, focusFirst),
  }
}

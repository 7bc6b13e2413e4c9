import { type FormErrors, schemaResolver, useForm } from '@mantine/form'
import { type FocusEvent, useEffect, useRef, useState } from 'react'
import type { GenericSchema } from 'valibot'
import { asProblem, type Problem } from '../../api/problem'
import { sentenceOf } from './password-rules'

interface Options<Values extends Record<string, unknown>> {
  /** what the fields must be before anything is sent */
  schema: GenericSchema<Values>
  initial: Values
  /** Sends the values, by a write that shows no error itself. */
  send: (values: Values) => Promise<unknown>
  /** runs after `send` succeeded and the form is clean, so that it may leave the page */
  done?: () => void
  /** controlled if the form sets values itself while they are typed */
  mode?: 'controlled' | 'uncontrolled'
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
  mode = 'uncontrolled',
}: Options<Values>) {
  const [problem, setProblem] = useState<Problem | null>(null)
  const [busy, setBusy] = useState(false)
  const [trying, setTrying] = useState(false)
  const saved = useRef(initial)
  const [values, setValues] = useState(initial)
  const [saves, setSaves] = useState(0)
  const latestDone = useRef(done)
  latestDone.current = done
  useEffect(() => {
    // After the effects of this render: until then, leaving the page asks about unsaved changes.
    if (saves > 0) setTimeout(() => latestDone.current?.())
  }, [saves])
  const form = useForm<Values>({
    mode,
    initialValues: initial,
    validate: schemaResolver(schema, { sync: true }),
    validateInputOnBlur: true,
    onValuesChange: setValues,
  })
  const focusFirst = (errors: FormErrors) => {
    const first = Object.keys(initial).find((field) => errors[field])
    // After the next paint: a field that was disabled during the request, or is in closed details, can't be focused yet.
    if (first) setTimeout(() => form.getInputNode(first)?.focus())
  }
  const showErrors = (rejection: Problem) => {
    const errors: Record<string, string> = {}
    for (const error of rejection.errors) {
      const [field = ''] = error.path.split('/').filter(Boolean)
      if (field in initial) errors[field] = [errors[field], sentenceOf(error)].filter(Boolean).join(' ')
    }
    form.setErrors(errors)
    focusFirst(errors)
    setProblem(Object.keys(errors).length > 0 ? null : rejection)
  }
  const attempt = async (act: () => Promise<unknown>, wait: (busy: boolean) => void) => {
    setProblem(null)
    wait(true)
    try {
      await act()
    } catch (thrown) {
      showErrors(asProblem(thrown))
    } finally {
      wait(false)
    }
  }
  const submit = (sent: Values) =>
    attempt(async () => {
      await send(sent)
      const now = form.getValues()
      saved.current = now
      setValues(now)
      form.setInitialValues(now)
      form.resetDirty()
      setSaves((count) => count + 1)
    }, setBusy)
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
  return {
    form: { ...form, getInputProps },
    problem,
    busy,
    values,
    /** number of fields whose value is not saved */
    changes: Object.keys(values).filter((field) => !isSame(values[field], saved.current[field])).length,
    discard,
    /** number of successful submits */
    saves,
    onSubmit: form.onSubmit(submit, focusFirst),
    /** true while `tryOut` runs */
    trying,
    /** Passes valid values to `act`, which saves nothing; its errors appear like those of a submit. */
    tryOut: (act: (values: Values) => Promise<unknown>) =>
      form.onSubmit((valid) => attempt(() => act(valid), setTrying), focusFirst)(),
  }
}

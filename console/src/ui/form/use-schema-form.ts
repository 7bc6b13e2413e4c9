import { type FormErrors, schemaResolver, useForm } from '@mantine/form'
import { type FocusEvent, type FormEvent, useEffect, useRef, useState } from 'react'
import type { GenericSchema } from 'valibot'
import { asProblem, type Problem } from '../../api/problem'
import { sentenceOf } from './password-rules'
import { useProblem } from './use-problem'

interface Options<Values extends Record<string, unknown>, Result> {
  /** what the fields must be before anything is sent */
  schema: GenericSchema<Values>
  initial: Values
  /** Sends the values, by a write that shows no error itself. */
  send: (values: Values) => Promise<Result>
  /** runs with the result of `send` when the form is clean, so that it may leave the page */
  done?: (result: Result) => void
  /** controlled if the form sets values itself while they are typed */
  mode?: 'controlled' | 'uncontrolled'
  /** fields with their initial values again after a successful submit, for example because they contain secrets */
  resetFields?: 'all' | readonly (keyof Values & string)[]
  /** receives the focus if the service rejects the values without naming a field */
  focusOnRejection?: keyof Values & string
}

/** Returns whether two values of a field are the same. */
const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

/**
 * A form with a schema. Fields are checked when they lose the focus and on submit; errors of the service appear at the fields that
 * they name, all others in `problem`. The first invalid field receives the focus. On submit, inputs with a `name` are read from the DOM.
 */
export function useSchemaForm<Values extends Record<string, unknown>, Result = unknown>({
  schema,
  initial,
  send,
  done,
  mode = 'uncontrolled',
  resetFields = [],
  focusOnRejection,
}: Options<Values, Result>) {
  const { problem, setProblem, opening, report } = useProblem()
  const [busy, setBusy] = useState(false)
  const [trying, setTrying] = useState(false)
  const saved = useRef(initial)
  const [values, setValues] = useState(initial)
  const [saves, setSaves] = useState<{ count: number; result?: Result }>({ count: 0 })
  // Set immediately, unlike state: a double click sends once.
  const sending = useRef(false)
  const latestDone = useRef(done)
  latestDone.current = done
  useEffect(() => {
    // After the effects of this render: until then, leaving the page asks about unsaved changes.
    if (saves.count > 0) setTimeout(() => latestDone.current?.(saves.result as Result))
  }, [saves])
  const form = useForm<Values>({
    mode,
    initialValues: initial,
    validate: schemaResolver(schema, { sync: true }),
    validateInputOnBlur: true,
    onValuesChange: setValues,
  })
  const focus = (field: string | undefined) => {
    // After the next paint: a field that was disabled during the request, or is in closed details, can't be focused yet.
    if (field) setTimeout(() => form.getInputNode(field)?.focus())
  }
  const focusFirst = (errors: FormErrors) => focus(Object.keys(initial).find((field) => errors[field]))
  const showErrors = (rejection: Problem) => {
    const errors: Record<string, string> = {}
    for (const error of rejection.errors) {
      const [field = ''] = error.path.split('/').filter(Boolean)
      if (field in initial) errors[field] = [errors[field], sentenceOf(error)].filter(Boolean).join(' ')
    }
    form.setErrors(errors)
    const isAtField = Object.keys(errors).length > 0
    if (isAtField) focusFirst(errors)
    else focus(focusOnRejection)
    setProblem(isAtField ? null : rejection)
  }
  const attempt = async (act: () => Promise<unknown>, wait: (busy: boolean) => void) => {
    if (sending.current) return
    sending.current = true
    setProblem(null)
    wait(true)
    try {
      await act()
    } catch (thrown) {
      if (opening.current !== 0) showErrors(asProblem(thrown))
      else report(thrown)
    } finally {
      sending.current = false
      wait(false)
    }
  }
  const submit = (sent: Values) =>
    attempt(async () => {
      const result = await send(sent)
      const isReset = (field: string) => resetFields === 'all' || resetFields.includes(field)
      const fields = Object.keys(sent)
      // Not the current values: the user may have typed during the request.
      const now = Object.fromEntries(fields.map((field) => [field, (isReset(field) ? initial : sent)[field]])) as Values
      saved.current = now
      form.setInitialValues(now)
      if (resetFields === 'all') form.reset()
      else {
        for (const field of resetFields) form.setFieldValue(field as never, initial[field] as never)
        form.resetDirty(now)
      }
      setValues(form.getValues())
      setSaves(({ count }) => ({ count: count + 1, result }))
    }, setBusy)
  const getInputProps: typeof form.getInputProps = (path, options) => {
    const props = form.getInputProps(path, options)
    const onBlur = (event?: FocusEvent<HTMLInputElement>) => {
      const next = event?.relatedTarget
      // The submit button validates everything itself: a message that appears between press and release would move it away.
      const isSubmitted = next instanceof HTMLButtonElement && next.type === 'submit'
      // An empty field that loses the focus is not an error yet, and an error of the service stays until the value changes.
      if (!isSubmitted && event?.target.value !== '' && !props.error) props.onBlur?.(event)
    }
    return { ...props, onBlur }
  }
  /** Password managers, and users before the page is hydrated, fill in inputs without an event. */
  const readInputs = (element: HTMLFormElement) => {
    for (const input of element.elements) {
      if (!(input instanceof HTMLInputElement) || input.name === '' || input.name !== input.dataset.path) continue
      const value = input.type === 'checkbox' ? input.checked : input.value
      form.setFieldValue(input.name as never, value as never, { forceUpdate: false })
    }
  }
  const onSubmit = (event?: FormEvent<HTMLFormElement>) => {
    // In React, a form in a dialog is inside the form that opened it.
    event?.stopPropagation()
    if (event && mode === 'uncontrolled') readInputs(event.currentTarget)
    form.onSubmit(submit, focusFirst)(event)
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
    saves: saves.count,
    onSubmit,
    /** true while `tryOut` runs */
    trying,
    /** Passes valid values to `act`, which saves nothing; its errors appear like those of a submit. */
    tryOut: (act: (values: Values) => Promise<unknown>) =>
      form.onSubmit((valid) => attempt(() => act(valid), setTrying), focusFirst)(),
  }
}

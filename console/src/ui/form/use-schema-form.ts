import { type FormErrors, schemaResolver, useForm } from '@mantine/form'
import { useEffect, useRef, useState } from 'react'
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
  /** controlled if other parts of the page depend on the values while they are typed */
  mode?: 'controlled' | 'uncontrolled'
}

/**
 * A form with a schema. Fields are checked when they lose the focus and on submit; errors of the service appear at the fields that
 * they name, all others in `problem`. The first field with an error gets the focus.
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
  /** number of successful submits */
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
  })
  const focusFirst = (errors: FormErrors) => {
    const first = Object.keys(initial).find((field) => errors[field])
    // After the render: a field in closed details is shown with its error.
    if (first) setTimeout(() => form.getInputNode(first)?.focus())
  }
  const showErrors = (rejection: Problem) => {
    const errors: Record<string, string> = {}
    for (const error of rejection.errors) {
      const [field = ''] = error.path.split('/').filter(Boolean)
      if (field in initial) errors[field] = [errors[field], sentenceOf(error)].filter(Boolean).join(' ')
    }
    form.setErrors(errors)
    setProblem(Object.keys(errors).length > 0 ? null : rejection)
    focusFirst(errors)
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
  const submit = (values: Values) =>
    attempt(async () => {
      await send(values)
      form.setInitialValues(form.getValues())
      form.resetDirty()
      setSaves((count) => count + 1)
    }, setBusy)
  return {
    form,
    problem,
    busy,
    saves,
    onSubmit: form.onSubmit(submit, focusFirst),
    /** number of changed fields */
    changes: Object.values(form.getDirty()).filter(Boolean).length,
    /** true while `tryOut` runs */
    trying,
    /** Passes valid values to `act`, which saves nothing; its errors appear like those of a submit. */
    tryOut: (act: (values: Values) => Promise<unknown>) =>
      form.onSubmit((values) => attempt(() => act(values), setTrying), focusFirst)(),
  }
}

import { type FormEvent, useEffect, useRef, useState } from 'react'
import { asProblem, type Problem } from '../../api/problem'
import { type Errors, focusField, keyOf, readValues, type Values } from './form-fields'
import { sentenceOf } from './password-rules'

interface Options<Name extends string> {
  names: readonly Name[]
  /** returns the errors by field; `{}` if all values are valid */
  check?: (values: Values<Name>) => Errors<Name>
  send: (values: Values<Name>, form: HTMLFormElement) => Promise<void>
  /** called when the form is saved and clean again, so that leaving the page asks no question */
  saved?: () => void
  /** the field that receives the focus if the service rejects the form without naming one */
  focusOnRefusal?: Name
}

/**
 * A form whose values are in the DOM, so that password managers can fill and save them; this hook holds the errors. A field is checked
 * when it loses the focus, then at each change until it is valid.
 */
export function useForm<Name extends string>({
  names,
  check = () => ({}),
  send,
  saved,
  focusOnRefusal,
}: Options<Name>) {
  const [errors, setErrors] = useState<Errors<Name>>({})
  const [problem, setProblem] = useState<Problem | null>(null)
  const [busy, setBusy] = useState(false)
  const [trying, setTrying] = useState(false)
  const [dirty, setDirty] = useState(false)
  const [saves, setSaves] = useState(0)
  const whenSaved = useRef(saved)
  whenSaved.current = saved
  useEffect(() => {
    // After all effects of this render: only then does leaving the page ask no question.
    if (saves > 0) setTimeout(() => whenSaved.current?.())
  }, [saves])
  // Set immediately, unlike state: a double click sends once.
  const sending = useRef(false)

  /** Returns the first field with an error. */
  function firstOf(found: Errors<Name>) {
    return (Object.keys(found) as (keyof Errors<Name> & string)[])
      .filter((key) => found[key])
      .sort((a, b) => names.indexOf(a.split('/')[0] as Name) - names.indexOf(b.split('/')[0] as Name))[0]
  }

  function refuse(form: HTMLFormElement, thrown: unknown) {
    const refusal = asProblem(thrown)
    const byField: Errors<Name> = {}
    for (const error of refusal.errors) {
      const key = keyOf(form, names, error.path)
      if (key) byField[key] = byField[key] ? `${byField[key]} ${sentenceOf(error)}` : sentenceOf(error)
    }
    setErrors(byField)
    const first = firstOf(byField)
    // An error at a field is not repeated above the form.
    setProblem(first ? null : refusal)
    // After the repaint: a disabled field can't receive the focus.
    setTimeout(() => focusField(form, first ?? focusOnRefusal))
  }

  async function attempt(
    form: HTMLFormElement,
    act: (values: Values<Name>, form: HTMLFormElement) => Promise<void>,
    wait: (busy: boolean) => void,
  ) {
    if (sending.current) return
    const values = readValues(form, names)
    const found = check(values)
    setErrors(found)
    setProblem(null)
    const wrong = firstOf(found)
    // After the repaint: an error opens the collapsed section of its field.
    if (wrong) return void setTimeout(() => focusField(form, wrong))
    sending.current = true
    wait(true)
    try {
      await act(values, form)
    } catch (thrown) {
      refuse(form, thrown)
    } finally {
      sending.current = false
      wait(false)
    }
  }

  function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    // In React, a form in a dialog is inside the form that opened it.
    event.stopPropagation()
    const sendAll = async (values: Values<Name>, form: HTMLFormElement) => {
      await send(values, form)
      setDirty(false)
      setSaves((count) => count + 1)
    }
    return attempt(event.currentTarget, sendAll, setBusy)
  }

  function recheck(form: HTMLFormElement, key: keyof Errors<Name> & string) {
    const message = check(readValues(form, names))[key]
    setErrors((before) => {
      const { [key]: _, ...others } = before
      return (message ? { ...others, [key]: message } : others) as Errors<Name>
    })
  }

  function fieldOf(event: FormEvent<HTMLFormElement>) {
    const { name, value, dataset } = event.target as HTMLInputElement
    const known = names.find((one) => one === name)
    return { key: known && dataset.row ? (`${known}/${Number(dataset.row)}` as const) : known, value }
  }

  return {
    busy,
    dirty,
    problem,
    errors,
    /** true while the values are tested */
    trying,
    /** validates the values and passes them to `act`, which saves nothing; errors appear at their fields */
    tryOut: (form: HTMLFormElement, act: (values: Values<Name>) => Promise<void>) => attempt(form, act, setTrying),
    /** for changes without an input event, such as a removed row: clears the errors of the field */
    touch(name: Name) {
      setDirty(true)
      setErrors(
        (before) =>
          Object.fromEntries(
            Object.entries(before).filter(([key]) => key !== name && !key.startsWith(`${name}/`)),
          ) as Errors<Name>,
      )
    },
    /** spread on the `<form>` */
    form: {
      noValidate: true,
      onSubmit,
      onChange(event: FormEvent<HTMLFormElement>) {
        setDirty(true)
        const { key } = fieldOf(event)
        if (key && errors[key]) recheck(event.currentTarget, key)
      },
      onBlur(event: FormEvent<HTMLFormElement>) {
        const { key, value } = fieldOf(event)
        // An empty field that loses the focus is not an error yet.
        if (key && value) recheck(event.currentTarget, key)
      },
    },
  }
}

import { type FormEvent, useEffect, useRef, useState } from 'react'
import { asProblem, type Problem } from '../../api/problem'
import { type Errors, focusField, keyOf, readValues, type Values } from './form-fields'
import { sentenceOf } from './password-rules'

interface Options<Name extends string> {
  names: readonly Name[]
  /** what is wrong with the values, by field; `{}` when nothing is */
  check?: (values: Values<Name>) => Errors<Name>
  send: (values: Values<Name>, form: HTMLFormElement) => Promise<void>
  /** runs when the form is saved and clean again, so that it may leave the page without being asked */
  saved?: () => void
  /** the field to go to when the service refuses without naming one */
  focusOnRefusal?: Name
}

/**
 * One plain form. The browser holds the values, so that password managers can fill and save them; this holds what is wrong
 * with them. A field is checked when it is left, then at each change until it is right.
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
    // After the effects of the same moment: only then does leaving the page not ask about unsaved changes any more.
    if (saves > 0) setTimeout(() => whenSaved.current?.())
  }, [saves])
  // Set at once, where the state comes with the next paint: a double click sends once.
  const sending = useRef(false)

  /** The first field of the form that something is wrong with. */
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
    // What a field says itself is not said again above the form.
    setProblem(first ? null : refusal)
    // After the repaint: a field that is disabled or gone while sending cannot take the focus.
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
    // After the repaint: a field that is folded away is shown with what is wrong with it.
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
    // A form in a dialog is, for React, inside the form that opened it.
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
    /** what is typed is tried */
    trying,
    /** checks what is typed and hands it to `act`, which saves nothing: the form stays as it is, what is refused is said at its field */
    tryOut: (form: HTMLFormElement, act: (values: Values<Name>) => Promise<void>) => attempt(form, act, setTrying),
    /** for a change that no input tells, as of a row that is taken away: what was said of its rows is no longer true */
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
        // An empty field that is passed by is not wrong yet.
        if (key && value) recheck(event.currentTarget, key)
      },
    },
  }
}

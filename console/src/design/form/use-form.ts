import { type FormEvent, useRef, useState } from 'react'
import { asProblem, type Problem } from '../../api/problem'

type Errors<Name extends string> = Partial<Record<Name, string>>
export type Values<Name extends string> = Record<Name, string>

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

function readValues<Name extends string>(form: HTMLFormElement, names: readonly Name[]) {
  const data = new FormData(form)
  return Object.fromEntries(names.map((name) => [name, String(data.get(name) ?? '')])) as Values<Name>
}

function focusField(form: HTMLFormElement, name: string | undefined) {
  if (name) form.querySelector<HTMLInputElement>(`[name="${CSS.escape(name)}"]`)?.focus()
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
  const [dirty, setDirty] = useState(false)
  // Set at once, where the state comes with the next paint: a double click sends once.
  const sending = useRef(false)

  function refuse(form: HTMLFormElement, thrown: unknown) {
    const refusal = asProblem(thrown)
    const byField: Errors<Name> = {}
    for (const { path, message } of refusal.errors) {
      const name = names.find((known) => path === `/${known}`)
      if (name) byField[name] = byField[name] ? `${byField[name]} ${message}` : message
    }
    setErrors(byField)
    const first = names.find((name) => byField[name])
    // What a field says itself is not said again above the form.
    setProblem(first ? null : refusal)
    // After the repaint: a field that is disabled or gone while sending cannot take the focus.
    setTimeout(() => focusField(form, first ?? focusOnRefusal))
  }

  async function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    // A form in a dialog is, for React, inside the form that opened it.
    event.stopPropagation()
    const form = event.currentTarget
    if (sending.current) return
    const values = readValues(form, names)
    const found = check(values)
    setErrors(found)
    setProblem(null)
    const wrong = names.find((name) => found[name])
    if (wrong) return focusField(form, wrong)
    sending.current = true
    setBusy(true)
    try {
      await send(values, form)
      setDirty(false)
      if (saved) setTimeout(saved)
    } catch (thrown) {
      refuse(form, thrown)
    } finally {
      sending.current = false
      setBusy(false)
    }
  }

  function recheck(form: HTMLFormElement, name: Name) {
    const message = check(readValues(form, names))[name]
    setErrors((before) => {
      const { [name]: _, ...others } = before
      return (message ? { ...others, [name]: message } : others) as Errors<Name>
    })
  }

  function fieldOf(event: FormEvent<HTMLFormElement>) {
    const { name, value } = event.target as HTMLInputElement
    return { name: names.find((known) => known === name), value }
  }

  return {
    busy,
    dirty,
    problem,
    errors,
    /** spread on the `<form>` */
    form: {
      noValidate: true,
      onSubmit,
      onChange(event: FormEvent<HTMLFormElement>) {
        setDirty(true)
        const { name } = fieldOf(event)
        if (name && errors[name]) recheck(event.currentTarget, name)
      },
      onBlur(event: FormEvent<HTMLFormElement>) {
        const { name, value } = fieldOf(event)
        // An empty field that is passed by is not wrong yet.
        if (name && value) recheck(event.currentTarget, name)
      },
    },
  }
}

/** What is wrong, by field; a field of several rows (inputs of one name) has a message for each: `name/0`. */
export type Errors<Name extends string> = Partial<Record<Name | `${Name}/${number}`, string>>
/** A field of several rows, and a group of checkboxes, is its values with line breaks between them. */
export type Values<Name extends string> = Record<Name, string>

export function readValues<Name extends string>(form: HTMLFormElement, names: readonly Name[]) {
  const data = new FormData(form)
  return Object.fromEntries(names.map((name) => [name, data.getAll(name).join('\n')])) as Values<Name>
}

function inputsOf(form: HTMLFormElement, name: string) {
  return [...form.querySelectorAll<HTMLInputElement>(`[name="${CSS.escape(name)}"]`)]
}

export function focusField(form: HTMLFormElement, key: string | undefined) {
  if (!key) return
  const [name = '', row] = key.split('/')
  inputsOf(form, name)[Number(row ?? 0)]?.focus()
}

/** Which field the service means by a JSON pointer, as `/redirectUris/0`. Empty rows were not sent: it counts without them. */
export function keyOf<Name extends string>(form: HTMLFormElement, names: readonly Name[], pointer: string) {
  const [, name, index] = pointer.match(/^\/([^/]+)(?:\/(\d+))?$/) ?? []
  const known = names.find((one) => one === name)
  if (!known || index === undefined) return known
  const rows = inputsOf(form, known).filter((input) => input.dataset.row !== undefined)
  const meant = rows.filter((input) => input.value.trim())[Number(index)] ?? rows[0]
  return meant ? (`${known}/${rows.indexOf(meant)}` as const) : known
}

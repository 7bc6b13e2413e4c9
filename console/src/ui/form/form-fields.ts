/** Errors by field; a field with several rows (inputs with one name) has an error per row: `name/0`. */
export type Errors<Name extends string> = Partial<Record<Name | `${Name}/${number}`, string>>
/** The value of a field with several rows, or of a group of checkboxes: values separated by line breaks. */
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

/** Returns the field of a JSON pointer such as `/redirectUris/0`. Empty rows were not sent and are not counted. */
export function keyOf<Name extends string>(form: HTMLFormElement, names: readonly Name[], pointer: string) {
  const [, name, index] = pointer.match(/^\/([^/]+)(?:\/(\d+))?$/) ?? []
  const known = names.find((one) => one === name)
  if (!known || index === undefined) return known
  const rows = inputsOf(form, known).filter((input) => input.dataset.row !== undefined)
  const meant = rows.filter((input) => input.value.trim())[Number(index)] ?? rows[0]
  return meant ? (`${known}/${rows.indexOf(meant)}` as const) : known
}

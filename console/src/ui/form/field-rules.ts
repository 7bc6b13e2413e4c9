import { type RawCheckAction, rawCheck } from 'valibot'

/** Errors by field. */
export type FieldErrors<Values> = { [Field in keyof Values & string]?: string | undefined }

/** A valibot check over several fields: `errorsOf` returns the error of each invalid field. */
export function fieldRules<Values extends Record<string, unknown>>(
  errorsOf: (values: Values) => FieldErrors<Values>,
): RawCheckAction<Values> {
  return rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return
    const input = dataset.value
    for (const [key, message] of Object.entries<string | undefined>(errorsOf(input)))
      if (message) addIssue({ message, path: [{ type: 'object', origin: 'value', input, key, value: input[key] }] })
  })
}

import { TextInput, type TextInputProps } from '@mantine/core'
import { check, pipe, string } from 'valibot'
import m from '../../messages/en/form.json'

/** The email address of an account. */
export function EmailField({ label = m.email(), autoComplete = 'username', ...props }: TextInputProps) {
  return (
    <TextInput
      label={label}
      type="email"
      inputMode="email"
      autoComplete={autoComplete}
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      required
      withAsterisk={false}
      placeholder={m.emailExample()}
      {...props}
    />
  )
}

/** Rejects only what cannot be an email address. */
export function wrongEmail(text: string): string | undefined {
  if (!text.trim()) return m.emailMissing()
  return /^\S+@\S+$/.test(text.trim()) ? undefined : m.emailWrong()
}

export const emailSchema = pipe(
  string(),
  check(
    (text) => !wrongEmail(text),
    ({ input }) => wrongEmail(input) ?? '',
  ),
)

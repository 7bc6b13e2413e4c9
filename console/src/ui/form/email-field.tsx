import m from '../../messages/en/form.json'
import { Field, type FieldProps } from './field'

type Props = Omit<FieldProps, 'label' | 'type'> & { label?: string }

export function EmailField({ label = m.email(), autoComplete = 'username', ...props }: Props) {
  return (
    <Field
      {...props}
      label={label}
      type="email"
      inputMode="email"
      autoComplete={autoComplete}
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      required
    />
  )
}

/** Rejects only what cannot be an email address. */
export function wrongEmail(text: string): string | undefined {
  if (!text.trim()) return m.emailMissing()
  return /^\S+@\S+$/.test(text.trim()) ? undefined : m.emailWrong()
}

import { PasswordInput, type PasswordInputProps } from '@mantine/core'
import common from '../../messages/en/common.json'

/** A secret of another system: password managers neither fill nor save it. */
export function SecretInput(props: PasswordInputProps) {
  return (
    <PasswordInput
      autoComplete="new-password"
      visibilityToggleButtonProps={{ 'aria-label': common.showSecret(), tabIndex: 0 }}
      {...props}
    />
  )
}

import { Stack } from '@mantine/core'
import reauthentication from '../../../messages/en/reauthentication.json'
import m from '../../../messages/en/second-factor.json'
import { reauthenticate } from './calls'
import { CodeForm } from './factors/code-form'

interface Props {
  /** why a code is required */
  text: string
  /** true for a backup code instead of a code of the app */
  backup?: boolean
  confirmed: () => void
}

/** Confirms the identity of the user with a code. */
export function ByCode({ text, backup = false, confirmed }: Props) {
  return (
    <Stack gap="sm">
      <p>{text}</p>
      <CodeForm
        title={reauthentication.title()}
        label={backup ? m.backupLabel() : m.totpLabel()}
        backup={backup}
        send={(code) => reauthenticate({ code, isBackupCode: backup })}
        done={confirmed}
      />
    </Stack>
  )
}

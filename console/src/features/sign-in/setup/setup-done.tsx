import { Button } from '@mantine/core'
import m from '../../../messages/en/setup.json'
import signInMessages from '../../../messages/en/sign-in.json'
import { navigate } from '../../../navigation/router'
import { AuthLayout } from '../../../ui/document/auth-layout'

/** Shown when the first administrator exists. */
export function SetupDone() {
  return (
    <AuthLayout glyph="check" glyphKind="ok" heading={m.doneTitle()} lead={m.doneLead()}>
      <Button fullWidth onClick={() => navigate({ to: '/login' })}>
        {signInMessages.submit()}
      </Button>
    </AuthLayout>
  )
}

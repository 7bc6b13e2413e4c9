import { Button } from '@mantine/core'
import m from '../../messages/en/sso-callback.json'
import { navigate } from '../../navigation/router'
import { AuthLayout } from '../../ui/document/auth-layout'

/** For whoever tried a provider in a browser in which nobody may read its report. */
export function TestEnded() {
  return (
    <AuthLayout heading={m.testEnded()} lead={m.testEndedLead()}>
      <Button fullWidth onClick={() => navigate({ to: '/' })}>
        {m.home()}
      </Button>
    </AuthLayout>
  )
}

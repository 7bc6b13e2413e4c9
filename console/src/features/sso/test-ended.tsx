import { Button } from '@mantine/core'
import { navigate } from '../../navigation/router'
import { AuthLayout } from '../../ui/auth-layout'
import { callbackWords as words } from '../../words'

/** For whoever tried a provider in a browser in which nobody may read its report. */
export function TestEnded() {
  return (
    <AuthLayout heading={words.testEnded} lead={words.testEndedLead}>
      <Button fullWidth onClick={() => navigate({ to: '/' })}>
        {words.home}
      </Button>
    </AuthLayout>
  )
}

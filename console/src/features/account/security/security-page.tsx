import { notifications } from '@mantine/notifications'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { Me } from '../../../api/contract'
import securityMessages from '../../../messages/en/security.json'
import m from '../../../messages/en/security-events.json'
import { LoadError } from '../../../ui/load-error'
import { Page } from '../../../ui/page'
import { Panel } from '../../../ui/panel'
import { RelativeTime } from '../../../ui/relative-time'
import { RowsLoading } from '../../../ui/rows-loading'
import { meQuery } from '../profile/queries'
import { changePassword, setPassword } from './calls'
import { FactorPanels } from './factors/factor-panels'
import { PasswordForm } from './password-form'
import { ReauthenticateDialog } from './reauthenticate-dialog'
import { SecurityEvents } from './security-events'
import { useReauthentication } from './use-reauthentication'

export function SecurityPage() {
  const me = useQuery(meQuery)
  return (
    <Page title={securityMessages.title()}>
      {me.isPending && <RowsLoading rows={1} height={320} />}
      {me.isError && <LoadError error={me.error} retry={() => me.refetch()} />}
      {me.data && <PasswordPanel me={me.data} />}
      {me.data && <FactorPanels me={me.data} />}
      {me.data && (
        <Panel title={securityMessages.lastSignIn()}>
          <p>
            {m.method({ method: me.data.session.method }) || securityMessages.otherMethod()},{' '}
            <RelativeTime at={me.data.authenticatedAt} />
          </p>
        </Panel>
      )}
      <SecurityEvents />
    </Page>
  )
}

function PasswordPanel({ me }: { me: Me }) {
  const client = useQueryClient()
  const { guarded, dialog } = useReauthentication()
  const { hasPassword } = me
  const { email } = me.user

  async function saved() {
    await client.invalidateQueries({ queryKey: ['mine'] })
    notifications.show({ message: hasPassword ? securityMessages.changed() : securityMessages.passwordSet() })
  }

  return (
    <Panel
      title={securityMessages.password()}
      about={hasPassword ? securityMessages.changeAbout() : securityMessages.setAbout()}
    >
      <PasswordForm
        // The first password creates a new form, without the input of the previous one.
        key={String(hasPassword)}
        email={email}
        hasPassword={hasPassword}
        policy={me.passwordPolicy}
        label={securityMessages.password()}
        submit={hasPassword ? securityMessages.change() : securityMessages.set()}
        save={(current, next) => guarded(() => (hasPassword ? changePassword(current, next) : setPassword(next)))}
        saved={saved}
      />
      <ReauthenticateDialog email={email} hasPassword={hasPassword} {...dialog} />
    </Panel>
  )
}

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Me } from '../../api/contract'
import m from '../../messages/en/security-events.json'
import { announce } from '../../ui/announcer'
import { LoadError } from '../../ui/load-error'
import { Notice } from '../../ui/notice'
import { Page } from '../../ui/page'
import { Panel } from '../../ui/panel'
import { RelativeTime } from '../../ui/relative-time'
import { RowsLoading } from '../../ui/rows-loading'
import { accountWords as words } from '../../words'
import { meQuery } from '../identities/queries'
import { FactorPanels } from '../mfa/factor-panels'
import { changePassword, setPassword } from './calls'
import { PasswordForm } from './password-form'
import { ReauthenticateDialog } from './reauthenticate-dialog'
import { SecurityEvents } from './security-events'
import { useReauthentication } from './use-reauthentication'

export function SecurityPage() {
  const me = useQuery(meQuery)
  return (
    <Page title={words.securityTitle}>
      {me.isPending && <RowsLoading rows={1} height={320} />}
      {me.isError && <LoadError error={me.error} retry={() => me.refetch()} />}
      {me.data && <PasswordPanel me={me.data} />}
      {me.data && <FactorPanels me={me.data} />}
      {me.data && (
        <Panel title={words.signInPanel}>
          <p>
            {signInMethod(me.data.session.method)}, <RelativeTime at={me.data.authenticatedAt} />
          </p>
        </Panel>
      )}
      <SecurityEvents />
    </Page>
  )
}

function signInMethod(method: string) {
  const known: Record<string, string> = words.method
  return known[method] ?? (m.method({ method }) || words.method.other)
}

function PasswordPanel({ me }: { me: Me }) {
  const queries = useQueryClient()
  const { guarded, dialog } = useReauthentication()
  const [said, setSaid] = useState<string | null>(null)
  const { hasPassword } = me
  const { email } = me.user

  async function saved() {
    const text = hasPassword ? words.passwordChanged : words.passwordSet
    setSaid(text)
    announce(text)
    await queries.invalidateQueries({ queryKey: ['mine'] })
  }

  return (
    <Panel title={words.passwordPanel} about={hasPassword ? words.passwordChangeAbout : words.passwordSetAbout}>
      {said && (
        <Notice kind="success">
          <p>{said}</p>
        </Notice>
      )}
      <PasswordForm
        // A first password makes it another form: nothing of the old one must stay.
        key={String(hasPassword)}
        email={email}
        hasPassword={hasPassword}
        policy={me.passwordPolicy}
        label={words.passwordPanel}
        submit={hasPassword ? words.changeSubmit : words.setSubmit}
        save={(current, next) => guarded(() => (hasPassword ? changePassword(current, next) : setPassword(next)))}
        saved={saved}
      />
      <ReauthenticateDialog email={email} hasPassword={hasPassword} {...dialog} />
    </Panel>
  )
}

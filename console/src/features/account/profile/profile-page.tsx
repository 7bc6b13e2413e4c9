import { useQuery } from '@tanstack/react-query'
import m from '../../../messages/en/profile.json'
import { SchemeChoice } from '../../../ui/document/scheme-choice'
import { LoadError } from '../../../ui/page/load-error'
import { Page } from '../../../ui/page/page'
import { Panel } from '../../../ui/page/panel'
import { RowsLoading } from '../../../ui/page/rows-loading'
import { DeleteAccountPanel, ExportPanel } from './account-data'
import { CheckUp } from './check-up'
import { EmailPanel } from './email-panel'
import { ProfileForm } from './profile-form'
import { meQuery } from './queries'

export function ProfilePage() {
  const me = useQuery(meQuery)
  return (
    <Page title={m.title()}>
      {me.isPending && <RowsLoading rows={2} height={180} />}
      {me.isError && <LoadError error={me.error} retry={() => me.refetch()} />}
      {me.data && <CheckUp me={me.data} />}
      {me.data && <ProfileForm profile={me.data.profile} />}
      {me.data && <EmailPanel me={me.data} />}
      <Panel title={m.appearance()} about={m.appearanceAbout()}>
        <SchemeChoice />
      </Panel>
      {me.data && !me.data.session.confined && (
        <>
          <ExportPanel me={me.data} />
          <DeleteAccountPanel me={me.data} />
        </>
      )}
    </Page>
  )
}

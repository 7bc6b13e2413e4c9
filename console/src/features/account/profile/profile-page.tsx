import { useQuery } from '@tanstack/react-query'
import m from '../../../messages/en/profile.json'
import { LoadError } from '../../../ui/load-error'
import { Page } from '../../../ui/page'
import { Panel } from '../../../ui/panel'
import { RowsLoading } from '../../../ui/rows-loading'
import { SchemeChoice } from '../../../ui/scheme-choice'
import { DeleteAccountPanel, ExportPanel } from './account-data'
import { AddressForm } from './address-form'
import { CheckUp } from './check-up'
import { ProfileForm } from './profile-form'
import { ProfilePanel } from './profile-panel'
import { meQuery } from './queries'

export function ProfilePage() {
  const me = useQuery(meQuery)
  return (
    <Page title={m.title()}>
      {me.isPending && <RowsLoading rows={2} height={180} />}
      {me.isError && <LoadError error={me.error} retry={() => me.refetch()} />}
      {me.data && <CheckUp me={me.data} />}
      {me.data && <ProfilePanel me={me.data} />}
      {me.data && <ProfileForm key={JSON.stringify(me.data.profile)} profile={me.data.profile} />}
      {me.data && <AddressForm me={me.data} />}
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

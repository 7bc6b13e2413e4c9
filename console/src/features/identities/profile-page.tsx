import { useQuery } from '@tanstack/react-query'
import { LoadError } from '../../design/load-error'
import { Page } from '../../design/page'
import { Panel } from '../../design/panel'
import { RowsLoading } from '../../design/rows-loading'
import { SchemeChoice } from '../../design/scheme-choice'
import { accountWords as words } from '../../words'
import { AddressForm } from './address-form'
import { CheckUp } from './check-up'
import { ProfileForm } from './profile-form'
import { ProfilePanel } from './profile-panel'
import { meQuery } from './queries'

export function ProfilePage() {
  const me = useQuery(meQuery)
  return (
    <Page title={words.profileTitle}>
      {me.isPending && <RowsLoading rows={2} height={180} />}
      {me.isError && <LoadError error={me.error} retry={() => me.refetch()} />}
      {me.data && <ProfilePanel me={me.data} />}
      {me.data && <ProfileForm profile={me.data.profile} />}
      {me.data && <AddressForm me={me.data} />}
      {me.data && <CheckUp me={me.data} />}
      <Panel title={words.appearance} about={words.appearanceAbout}>
        <SchemeChoice />
      </Panel>
    </Page>
  )
}

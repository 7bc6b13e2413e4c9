import { useQuery } from '@tanstack/react-query'
import m from '../../../messages/en/security.json'
import { LoadError } from '../../../ui/page/load-error'
import { Page } from '../../../ui/page/page'
import { RowsLoading } from '../../../ui/page/rows-loading'
import { meQuery } from '../profile/queries'
import { SecurityEvents } from './security-events'
import { SignInMethods } from './sign-in-methods'

export function SecurityPage() {
  const me = useQuery(meQuery)
  return (
    <Page title={m.title()}>
      {me.isPending && <RowsLoading rows={1} height={320} />}
      {me.isError && <LoadError error={me.error} retry={() => me.refetch()} />}
      {me.data && <SignInMethods me={me.data} />}
      <SecurityEvents />
    </Page>
  )
}

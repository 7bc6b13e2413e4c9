import { useQuery } from '@tanstack/react-query'
import providers from '../../../messages/en/sign-in-providers.json'
import { EmptyState } from '../../../ui/page/empty-state'
import styles from '../../../ui/page/item-row.module.css'
import { LoadError } from '../../../ui/page/load-error'
import { Panel } from '../../../ui/page/panel'
import { RowsLoading } from '../../../ui/page/rows-loading'
import { useCurrentTeam } from '../../organizations/current-team'
import { useCurrentProvider } from '../current-provider'
import { signInsQuery } from '../queries'
import { SignInRow } from './sign-in-row'

/** The last sign-ins and tests of a provider. */
export function SignInsPage() {
  const { team } = useCurrentTeam()
  const { id } = useCurrentProvider()
  const signIns = useQuery(signInsQuery(team.id, id))
  return (
    <Panel title={providers.signIns()} about={providers.signInsHelp()}>
      {signIns.isPending && <RowsLoading rows={3} />}
      {signIns.isError && <LoadError error={signIns.error} retry={() => signIns.refetch()} />}
      {signIns.data?.length === 0 && <EmptyState icon="users" text={providers.noSignIns()} />}
      {signIns.data && signIns.data.length > 0 && (
        <ul className={styles.list}>
          {signIns.data.map((signIn) => (
            <SignInRow key={signIn.id} signIn={signIn} />
          ))}
        </ul>
      )}
    </Panel>
  )
}

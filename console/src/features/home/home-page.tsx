import { useQuery } from '@tanstack/react-query'
import m from '../../messages/en/home.json'
import { LoadError } from '../../ui/load-error'
import { Page } from '../../ui/page'
import { RowsLoading } from '../../ui/rows-loading'
import { Launcher } from '../account/access/launcher'
import { myApplicationsQuery } from '../account/access/queries'
import { CheckUp } from '../account/profile/check-up'
import { meQuery } from '../account/profile/queries'
import styles from './home-page.module.css'

/** The applications that the user can open, and what protects the account. The landing page of members. */
export function HomePage() {
  const applications = useQuery(myApplicationsQuery)
  const me = useQuery(meQuery)
  return (
    <Page title={m.title()}>
      <section className={styles.part}>
        <h2 className={styles.title}>
          {m.all()} {applications.data && <span className={styles.count}>{applications.data.length}</span>}
        </h2>
        {applications.isPending && <RowsLoading rows={2} height={64} />}
        {applications.isError && <LoadError error={applications.error} retry={() => applications.refetch()} />}
        {applications.data?.length === 0 && <p className={styles.muted}>{m.empty()}</p>}
        {applications.data && applications.data.length > 0 && <Launcher applications={applications.data} />}
      </section>
      {me.data && <CheckUp me={me.data} />}
    </Page>
  )
}

import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Team } from '../../api/contract'
import m from '../../messages/en/overview.json'
import { LoadError } from '../../ui/page/load-error'
import { Panel } from '../../ui/page/panel'
import { RowsLoading } from '../../ui/page/rows-loading'
import { ApplicationLogo } from '../../ui/values/application-logo'
import { KindBadge } from '../applications/kind-badge'
import { applicationsQuery } from '../applications/queries'
import styles from './overview.module.css'

const SHOWN = 5

/** The newest applications. */
export function ApplicationsPanel({ team: { id, slug } }: { team: Team }) {
  const applications = useQuery(applicationsQuery(id))
  const newest = [...(applications.data ?? [])].sort((a, b) => b.createdAt.localeCompare(a.createdAt)).slice(0, SHOWN)
  return (
    <Panel
      title={m.applicationsTitle()}
      action={
        newest.length > 0 && (
          <Link to="/t/$slug/applications" params={{ slug }}>
            {m.viewAll({ count: applications.data?.length ?? 0 })}
          </Link>
        )
      }
    >
      {applications.isPending && <RowsLoading rows={3} height={36} />}
      {applications.isError && <LoadError error={applications.error} retry={() => applications.refetch()} />}
      {applications.data?.length === 0 && <p className={styles.muted}>{m.noApplications()}</p>}
      <ul className={styles.list}>
        {newest.map((application) => (
          <li key={application.id} className={styles.row}>
            <ApplicationLogo id={application.id} name={application.name} logoUrl={application.logoUrl} size={22} />
            <Link className={styles.grow} to="/t/$slug/applications/$id" params={{ slug, id: application.id }}>
              {application.name}
            </Link>
            <KindBadge application={application} />
          </li>
        ))}
      </ul>
    </Panel>
  )
}

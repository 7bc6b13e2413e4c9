import { Link } from '@tanstack/react-router'
import type { Application } from '../../../api/contract'
import { ApplicationLogo } from '../../../ui/application-logo'
import { RelativeTime } from '../../../ui/relative-time'
import { applicationWords as words } from '../../../words'
import { KindBadge } from '../kind-badge'
import styles from './application-row.module.css'

export function ApplicationRow({ application, slug }: { application: Application; slug: string }) {
  const { id, name, logoUrl, description, assignmentRequired, createdAt } = application
  return (
    <li className={styles.row}>
      <ApplicationLogo id={id} name={name} logoUrl={logoUrl} size={32} />
      <div>
        <p className={styles.name}>
          <Link to="/t/$slug/applications/$id" params={{ slug, id }}>
            {name}
          </Link>
          <KindBadge application={application} />
        </p>
        {description && <p className={styles.detail}>{description}</p>}
      </div>
      <div className={styles.end}>
        <p>{assignmentRequired ? words.assigned : words.everyone}</p>
        <p>
          {words.made} <RelativeTime at={createdAt} />
        </p>
      </div>
    </li>
  )
}

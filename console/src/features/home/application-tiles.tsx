import { Badge } from '@mantine/core'
import type { ReactNode } from 'react'
import type { MyApplication } from '../../api/contract'
import m from '../../messages/en/home.json'
import { followable } from '../../navigation/redirect-to'
import { Icon } from '../../ui/icons/icon'
import { ApplicationLogo } from '../../ui/values/application-logo'
import { RelativeTime } from '../../ui/values/relative-time'
import styles from './application-tiles.module.css'

/** Number of applications that are listed as recently used. */
const RECENT = 4

/** Returns the URL that opens an application, or null. Entered by an administrator of a team: never a URL that runs in this page. */
const hrefOf = ({ launchUrl }: MyApplication): string | null => (launchUrl ? followable(launchUrl) : null)

/** Returns the host of an application without a description. Of several teams, the name of the team says more. */
function hostOf(application: MyApplication): string {
  const href = hrefOf(application)
  return (href && new URL(href).host) || application.team.name
}

/** The applications that the user opened last. Only those that can be opened here. */
export function RecentTiles({ applications }: { applications: MyApplication[] }) {
  const recent = applications
    .filter((application) => application.lastUsedAt && hrefOf(application))
    .sort((a, b) => (b.lastUsedAt ?? '').localeCompare(a.lastUsedAt ?? ''))
    .slice(0, RECENT)
  if (recent.length === 0) return null
  return (
    <section aria-labelledby="recent" className={styles.part}>
      <h2 id="recent" className={styles.heading}>
        {m.recent()}
      </h2>
      <ul className={styles.recent}>
        {recent.map((application) => (
          <Tile key={application.id} application={application}>
            <RelativeTime at={application.lastUsedAt ?? ''} />
          </Tile>
        ))}
      </ul>
    </section>
  )
}

/** All applications of the user as tiles; those with a launch URL open on click. */
export function ApplicationTiles({ applications }: { applications: MyApplication[] }) {
  const teams = new Set(applications.map(({ team }) => team.id))
  return (
    <ul className={styles.tiles}>
      {applications.map((application) => (
        <Tile key={application.id} application={application}>
          {teams.size > 1 ? application.team.name : application.description || hostOf(application)}
        </Tile>
      ))}
    </ul>
  )
}

function Tile({ application, children }: { application: MyApplication; children: ReactNode }) {
  const { id, name, logoUrl, isAiAgent } = application
  const href = hrefOf(application)
  return (
    <li className={styles.tile}>
      <ApplicationLogo id={id} name={name} logoUrl={logoUrl} size={40} />
      <div className={styles.text}>
        <p className={styles.name}>
          {href ? (
            <a className={styles.link} href={href} rel="noreferrer">
              {name}
            </a>
          ) : (
            name
          )}
          {isAiAgent && (
            <Badge color="blue" leftSection={<Icon name="agent" size={14} />}>
              {m.agent()}
            </Badge>
          )}
        </p>
        <p className={styles.about}>{href ? children : m.noLaunchUrl()}</p>
      </div>
      {href && (
        <span className={styles.open}>
          <Icon name="arrowUpRight" />
        </span>
      )}
    </li>
  )
}

import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import m from '../../messages/en/error-page.json'
import { Notice } from '../../ui/notice'
import stack from '../../ui/stack.module.css'
import { teamsQuery } from '../organizations/queries'
import { applicationsQuery } from './queries'
import { nearest } from './redirect-difference'
import styles from './redirect-mismatch.module.css'

/** The highest number of teams that are searched for the application. */
const mostTeams = 20

interface Props {
  clientId: string
  /** the unregistered URL, from an untrusted request */
  redirectUri: string
}

/** Shows administrators of the application the requested redirect URL and the registered ones. Shows nothing to other users. */
export function RedirectMismatch({ clientId, redirectUri }: Props) {
  const found = useQuery({
    queryKey: ['mine', 'application-of-client', clientId],
    queryFn: async ({ client }) => {
      const teams = (await client.fetchQuery(teamsQuery)).slice(0, mostTeams)
      const lists = await Promise.all(
        // A team whose applications the user may not read counts as a team without applications.
        teams.map((team) => client.fetchQuery({ ...applicationsQuery(team.id), retry: false }).catch(() => [])),
      )
      for (const [place, team] of teams.entries()) {
        const application = lists[place]?.find((one) => one.clientId === clientId)
        if (application) return { team, application }
      }
      return null
    },
    retry: false,
  }).data
  if (!found) return null
  const { team, application } = found
  const near = nearest(redirectUri, application.redirectUris)
  return (
    <div className={stack.fields}>
      <div className={styles.sides}>
        <section className={styles.side}>
          <h2 className={styles.label}>{m.received()}</h2>
          <code className={styles.uri}>{redirectUri}</code>
        </section>
        <section className={styles.side}>
          <h2 className={styles.label}>{m.registered({ application: application.name })}</h2>
          {application.redirectUris.length === 0 && <p className={stack.dimmed}>{m.noneRegistered()}</p>}
          <ul className={styles.uris}>
            {application.redirectUris.map((uri) => (
              <li key={uri}>
                <code className={styles.uri} data-near={uri === near?.uri || undefined}>
                  {uri}
                </code>
              </li>
            ))}
          </ul>
        </section>
      </div>
      {near && <p>{m.difference({ difference: near.difference })}</p>}
      <Notice kind="warning">
        <p>{m.onlyYours()}</p>
      </Notice>
      <Button
        onClick={() => location.assign(`/t/${encodeURIComponent(team.slug)}/applications/${application.id}/settings`)}
      >
        {m.fix()}
      </Button>
    </div>
  )
}

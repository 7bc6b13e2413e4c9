import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Notice } from '../../ui/notice'
import stack from '../../ui/stack.module.css'
import { pageWords } from '../../words'
import { teamsQuery } from '../organizations/queries'
import { applicationsQuery } from './queries'
import { nearest } from './redirect-difference'
import styles from './redirect-mismatch.module.css'

const words = pageWords.mismatch
/** Nobody's page asks more teams than that for one application. */
const mostTeams = 20

interface Props {
  clientId: string
  /** the address that was not registered; anybody may have written it */
  redirectUri: string
}

/** For whoever administers the application: what was asked for beside what is registered. For others: nothing. */
export function RedirectMismatch({ clientId, redirectUri }: Props) {
  const found = useQuery({
    queryKey: ['mine', 'application-of-client', clientId],
    queryFn: async ({ client }) => {
      const teams = (await client.fetchQuery(teamsQuery)).slice(0, mostTeams)
      const lists = await Promise.all(
        // A team whose applications the visitor may not see has none for this page.
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
          <h2 className={styles.label}>{words.received}</h2>
          <code className={styles.uri}>{redirectUri}</code>
        </section>
        <section className={styles.side}>
          <h2 className={styles.label}>{words.registered(application.name)}</h2>
          {application.redirectUris.length === 0 && <p className={stack.dimmed}>{words.noneRegistered}</p>}
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
      {near && <p>{words.difference[near.difference]}</p>}
      <Notice kind="warning">
        <p>{words.onlyYours}</p>
      </Notice>
      <Button
        onClick={() => location.assign(`/t/${encodeURIComponent(team.slug)}/applications/${application.id}/settings`)}
      >
        {words.fix}
      </Button>
    </div>
  )
}

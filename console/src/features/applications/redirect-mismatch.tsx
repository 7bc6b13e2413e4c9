import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import m from '../../messages/en/error-page.json'
import { AuthLayout } from '../../ui/document/auth-layout'
import { CopyDetails, type Detail, Details } from '../../ui/public/details'
import { errorDetails } from '../../ui/public/error-details'
import parts from '../../ui/public/parts.module.css'
import { teamsQuery } from '../organizations/queries'
import { applicationsQuery } from './queries'
import { nearest, splitAtDifference } from './redirect-difference'
import styles from './redirect-mismatch.module.css'

/** The highest number of teams that are searched for the application. */
const mostTeams = 20

interface Props {
  clientId: string
  /** the unregistered URL, from an untrusted request */
  redirectUri: string
  requestId: string | undefined
  /** the page of other users */
  otherwise: ReactNode
}

/** Shows administrators of the application the requested redirect URL and the registered ones. Shows nothing to other users. */
export function RedirectMismatch({ clientId, redirectUri, requestId, otherwise }: Props) {
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
  if (!found) return otherwise
  const { team, application } = found
  const near = nearest(redirectUri, application.redirectUris)
  const [start, received, registered] = splitAtDifference(redirectUri, near?.uri ?? '')
  const others = application.redirectUris.filter((uri) => uri !== near?.uri)
  const details: Detail[] = [
    {
      name: m.received(),
      text: redirectUri,
      value: (
        <>
          {start}
          <b className={styles.received}>{received}</b>
        </>
      ),
      isCode: true,
    },
    {
      name: m.registered(),
      text: application.redirectUris.join(' ') || m.noneRegistered(),
      value: near ? (
        <>
          <span className={styles.uri}>
            {start}
            <b className={styles.registered}>{registered}</b>
          </span>
          {others.map((uri) => (
            <span key={uri} className={styles.uri}>
              {uri}
            </span>
          ))}
        </>
      ) : (
        m.noneRegistered()
      ),
      isCode: near !== null,
    },
    ...errorDetails({ requestId }),
  ]
  return (
    <AuthLayout heading={m.causeTitle({ code: 'invalid_redirect_uri' })} team={team} wide>
      <p>
        {m.notRegistered({ application: application.name })} {near && m.difference({ difference: near.difference })}
      </p>
      <div className={parts.end}>
        <Details details={details} />
      </div>
      <p className={parts.note}>
        {m.onlyAdministrators()} {m.onlyYours()}
      </p>
      <div className={`${parts.pair} ${parts.end}`}>
        <CopyDetails details={details} />
        <Button
          onClick={() => location.assign(`/t/${encodeURIComponent(team.slug)}/applications/${application.id}/settings`)}
        >
          {m.fix()}
        </Button>
      </div>
    </AuthLayout>
  )
}

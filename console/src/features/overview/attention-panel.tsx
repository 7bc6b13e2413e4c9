import { queryOptions, type UseQueryResult, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { answerOf, member } from '../../api/client'
import type { Team } from '../../api/contract'
import m from '../../messages/en/overview.json'
import { type Check, CheckList } from '../../ui/layout/check-list'
import { LoadError } from '../../ui/page/load-error'
import { Panel } from '../../ui/page/panel'
import { RowsLoading } from '../../ui/page/rows-loading'
import { RelativeTime } from '../../ui/values/relative-time'
import { directoryQuery, runsQuery } from '../directory/ldap/queries'
import { outcomeOf } from '../directory/ldap/runs/run-outcome'
import { certificateState } from '../sign-in-providers/certificate-state'
import { providersQuery } from '../sign-in-providers/queries'
import { userName } from '../users/user-name'
import styles from './overview.module.css'
import { type Can, UNPROTECTED_ADMINS, unprotectedAdminsQuery } from './queries'

/** Invitations that expire within this time are listed. */
const SOON_MS = 2 * 24 * 60 * 60_000
const PAGE_SIZE = 100
const MOST_PAGES = 10

/** The pending invitations; of very many, those on the first pages. */
const pendingInvitationsQuery = (orgId: string) =>
  queryOptions({
    queryKey: [orgId, 'invitations', 'pending'],
    queryFn: async () => {
      const { data, total } = await pendingInvitations(orgId, 1)
      const pages = Math.min(Math.ceil(total / PAGE_SIZE), MOST_PAGES)
      for (let page = 2; page <= pages; page++) data.push(...(await pendingInvitations(orgId, page)).data)
      return data
    },
  })

const pendingInvitations = (orgId: string, page: number) =>
  answerOf(
    member.GET('/api/v1/organizations/{orgId}/invitations', {
      params: { path: { orgId }, query: { status: 'PENDING', limit: PAGE_SIZE, page } },
    }),
  )

interface Props {
  team: Team
  can: Can
}

/** Lists what an administrator should change soon, each with a link. Empty for users who can see none of it. */
export function AttentionPanel({ team, can }: Props) {
  const sources = [
    useAdmins(team, can),
    useCertificates(team, can),
    useLastRun(team, can),
    useInvitations(team, can),
  ].filter((source) => source !== null)
  if (sources.length === 0) return null
  const checks = sources.flatMap((source) => source.checks ?? [])
  // Nothing is in order before all sources have answered.
  const isComplete = sources.every((source) => source.checks)
  const isPending = sources.some((source) => !source.checks && !source.error)
  const failed = sources.find((source) => !source.checks && source.error)
  return (
    <Panel title={m.attention()}>
      {checks.length > 0 && <CheckList checks={checks} />}
      {isPending && <RowsLoading rows={2} height={36} />}
      {failed && <LoadError error={failed.error} retry={failed.retry} />}
      {isComplete && checks.length === 0 && <p className={styles.muted}>{m.allGood()}</p>}
    </Panel>
  )
}

const attention = (state: Check['state'], title: string, text: ReactNode, action: ReactNode): Check => ({
  state,
  title,
  text,
  action,
})

/** The findings of a source; `null` for users who can't see it. */
type Source = {
  /** absent until the source has answered */
  checks: Check[] | undefined
  error: unknown
  retry: () => void
} | null

/** Evaluates the response of a source. */
const sourceOf = <Data,>(
  { data, error, refetch }: UseQueryResult<Data>,
  checksOf: (data: Data) => Check[],
): Source => ({
  checks: data === undefined ? undefined : checksOf(data),
  error,
  retry: () => void refetch(),
})

function useAdmins({ id, slug }: Team, can: Can): Source {
  const sees = can('users:read') && (can('users:write') || can('users:credentials'))
  const admins = useQuery({ ...unprotectedAdminsQuery(id), enabled: sees })
  if (!sees) return null
  return sourceOf(admins, ({ total, first }) =>
    first
      ? [
          attention(
            'attention',
            m.adminsWithout({ count: total }),
            m.andMore({ name: userName(first), more: total - 1 }),
            <Link to="/t/$slug/users" params={{ slug }} search={UNPROTECTED_ADMINS}>
              {m.review()}
            </Link>,
          ),
        ]
      : [],
  )
}

function useCertificates({ id, slug }: Team, can: Can): Source {
  const providers = useQuery({ ...providersQuery(id), enabled: can('sso:read') })
  if (!can('sso:read')) return null
  return sourceOf(providers, (found) =>
    found.flatMap((provider) => {
      const state = certificateState(provider)
      if (state === 'valid') return []
      const { name } = provider
      return attention(
        state === 'expired' ? 'failed' : 'attention',
        state === 'expired' ? m.certificateEnded({ name }) : m.certificateEnds({ name }),
        m.certificateAbout(),
        <Link to="/t/$slug/sso/$id" params={{ slug, id: provider.id }}>
          {m.review()}
        </Link>,
      )
    }),
  )
}

function useLastRun({ id, slug }: Team, can: Can): Source {
  const directory = useQuery({ ...directoryQuery(id), enabled: can('directory:read') })
  const runs = useQuery({ ...runsQuery(id, 1, 1), enabled: Boolean(directory.data) })
  if (!can('directory:read') || directory.data === null) return null
  if (!directory.data) return sourceOf(directory, () => [])
  return sourceOf(runs, ({ data: [run] }) => {
    if (!run) return []
    const outcome = outcomeOf(run)
    if (outcome !== 'failed' && outcome !== 'problems') return []
    return [
      attention(
        outcome === 'failed' ? 'failed' : 'attention',
        outcome === 'failed' ? m.runFailed() : m.runProblems(),
        <RelativeTime at={run.createdAt} />,
        <Link to="/t/$slug/directory/ldap/runs/$run" params={{ slug, run: run.id }}>
          {m.viewRun()}
        </Link>,
      ),
    ]
  })
}

function useInvitations({ id, slug }: Team, can: Can): Source {
  const pending = useQuery({ ...pendingInvitationsQuery(id), enabled: can('members:read') })
  if (!can('members:read')) return null
  return sourceOf(pending, (invitations) => {
    const count = invitations.filter(({ expiresAt }) => Date.parse(expiresAt) - Date.now() < SOON_MS).length
    if (count === 0) return []
    return [
      attention(
        'open',
        m.invitationsEnd({ count }),
        m.invitationsAbout(),
        <Link to="/t/$slug/invitations" params={{ slug }} search={{ status: 'PENDING' }}>
          {m.review()}
        </Link>,
      ),
    ]
  })
}

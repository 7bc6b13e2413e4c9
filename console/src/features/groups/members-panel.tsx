import { Badge, Button, CloseButton, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import common from '../../messages/en/common.json'
import m from '../../messages/en/groups.json'
import { SaveBar } from '../../ui/form/save-bar'
import { Icon } from '../../ui/icons/icon'
import rows from '../../ui/page/item-row.module.css'
import { LoadError } from '../../ui/page/load-error'
import { Panel } from '../../ui/page/panel'
import { RowsLoading } from '../../ui/page/rows-loading'
import { Monogram } from '../../ui/values/monogram'
import { useCurrentTeam } from '../organizations/current-team'
import { userName } from '../users/user-name'
import styles from './members-panel.module.css'
import type { GroupWrites } from './mutations'
import { candidatesQuery, type Member, membersQuery } from './queries'

/** The most members that are listed at once; the search finds the others. */
const MAX_SHOWN = 200

/** The members as a change that is pending until it is saved in one request. */
export function MembersPanel({ groupId, writes }: { groupId: string; writes: GroupWrites }) {
  const { team, me } = useCurrentTeam()
  const query = useQuery(membersQuery(team.id, groupId))
  const [added, setAdded] = useState<Member[]>([])
  const [removed, setRemoved] = useState<ReadonlySet<string>>(new Set())
  const [text, setText] = useState('')
  const canWrite = me.permissions.includes('groups:members')
  const members = query.data?.members ?? []
  const matching = members.filter((one) => matches(one, text))
  const shown = matching.slice(0, MAX_SHOWN)
  const discard = () => {
    setAdded([])
    setRemoved(new Set())
  }
  const toggle = (id: string) => {
    const next = new Set(removed)
    if (!next.delete(id)) next.add(id)
    setRemoved(next)
  }
  const save = () => {
    const kept = members.filter(({ id }) => !removed.has(id))
    const userIds = [...kept, ...added].map(({ id }) => id)
    writes.setMembers.mutate({ userIds, etag: query.data?.etag ?? null }, { onSuccess: discard })
  }
  const isMember = (id: string) => members.some((one) => one.id === id) || added.some((one) => one.id === id)
  return (
    <Panel
      title={m.members()}
      about={query.data && matching.length > MAX_SHOWN && m.outOf({ shown: MAX_SHOWN, total: matching.length })}
    >
      {query.isError && <LoadError error={query.error} retry={() => query.refetch()} />}
      {query.isPending && <RowsLoading rows={3} height={36} />}
      {query.data && (
        <div className={styles.adder}>
          <TextInput
            type="search"
            aria-label={m.findUsers()}
            placeholder={m.findUsers()}
            leftSection={<Icon name="search" size={14} />}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
          {canWrite && (
            <Candidates
              text={text}
              hasMembers={matching.length > 0}
              isMember={isMember}
              add={(user) => setAdded([...added, user])}
            />
          )}
        </div>
      )}
      {query.data && members.length + added.length === 0 && <p className={styles.muted}>{m.noMembers()}</p>}
      <ul className={rows.list}>
        {added.map((user) => (
          <Row key={user.id} user={user} state={m.added()} tone="green">
            <CloseButton
              aria-label={m.undoAddition({ name: userName(user) })}
              onClick={() => setAdded(added.filter(({ id }) => id !== user.id))}
            />
          </Row>
        ))}
        {shown.map((user) => {
          const isRemoved = removed.has(user.id)
          const name = userName(user)
          return (
            <Row key={user.id} user={user} state={isRemoved ? m.removed() : undefined} tone="red">
              {canWrite && (
                <Button
                  variant="subtle"
                  size="compact-sm"
                  color={isRemoved ? 'brand' : 'gray'}
                  aria-label={isRemoved ? m.undoRemoval({ name }) : m.removeMember({ name })}
                  onClick={() => toggle(user.id)}
                >
                  {isRemoved ? m.undo() : m.remove()}
                </Button>
              )}
            </Row>
          )
        })}
      </ul>
      <SaveBar changes={added.length + removed.size} busy={writes.setMembers.isPending} save={save} discard={discard} />
    </Panel>
  )
}

interface RowProps {
  user: Member
  state: string | undefined
  tone: 'green' | 'red'
  children: React.ReactNode
}

function Row({ user, state, tone, children }: RowProps) {
  const { team } = useCurrentTeam()
  return (
    <li className={rows.row} data-short>
      <Monogram of={userName(user)} size={22} round />
      <div className={rows.title}>
        <Link to="/t/$slug/users/$id" params={{ slug: team.slug, id: user.id }}>
          {userName(user)}
        </Link>
        <span className={styles.muted}>{user.email}</span>
        {state && <Badge color={tone}>{state}</Badge>}
      </div>
      {children}
    </li>
  )
}

interface CandidatesProps {
  text: string
  /** whether members match the search */
  hasMembers: boolean
  isMember: (id: string) => boolean
  add: (user: Member) => void
}

/** The users of the team that match the search and are not members, to add them to the pending change. */
function Candidates({ text, hasMembers, isMember, add }: CandidatesProps) {
  const { team } = useCurrentTeam()
  const [search] = useDebouncedValue(text.trim(), 200)
  const found = useQuery({ ...candidatesQuery(team.id, search), enabled: search !== '' })
  const candidates = search === '' ? [] : (found.data ?? []).filter(({ id }) => !isMember(id))
  const isNothingFound = found.isSuccess && candidates.length === 0 && !hasMembers
  if (isNothingFound) return <p className={styles.muted}>{common.noRows()}</p>
  if (candidates.length === 0) return null
  return (
    <ul className={`${rows.list} ${styles.found}`}>
      {candidates.map((user) => (
        <Row key={user.id} user={user} state={undefined} tone="green">
          <Button
            variant="default"
            size="compact-sm"
            aria-label={m.addMember({ name: userName(user) })}
            onClick={() => add(user)}
          >
            {m.add()}
          </Button>
        </Row>
      ))}
    </ul>
  )
}

const matches = (user: Member, text: string): boolean =>
  `${userName(user)} ${user.email}`.toLowerCase().includes(text.trim().toLowerCase())

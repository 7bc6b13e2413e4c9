import { Button, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { MyApplication } from '../../api/contract'
import m from '../../messages/en/home.json'
import { Icon } from '../../ui/icons/icon'
import { EmptyState } from '../../ui/page/empty-state'
import { LoadError } from '../../ui/page/load-error'
import { Page } from '../../ui/page/page'
import { RowsLoading } from '../../ui/page/rows-loading'
import { myApplicationsQuery } from '../account/access/queries'
import { CheckUp } from '../account/profile/check-up'
import { meQuery } from '../account/profile/queries'
import { ApplicationTiles, RecentTiles } from './application-tiles'
import tiles from './application-tiles.module.css'
import styles from './home-page.module.css'
import { RecentSignIns } from './recent-sign-ins'
import { SecondFactorDue } from './second-factor-due'

/** Below this number, all applications are visible without a search. */
const SEARCH_FROM = 5

/** The applications that the user can open, and what protects the account. The landing page of members. */
export function HomePage() {
  const applications = useQuery(myApplicationsQuery)
  const me = useQuery(meQuery)
  const [text, setText] = useState('')
  const all = applications.data ?? []
  const wanted = text.trim().toLowerCase()
  const found = all.filter(({ name, team }) => `${name}\n${team.name}`.toLowerCase().includes(wanted))
  return (
    <Page
      title={m.title()}
      aside={
        all.length >= SEARCH_FROM && (
          <TextInput
            type="search"
            className={styles.search}
            aria-label={m.search()}
            placeholder={m.search()}
            leftSection={<Icon name="search" size={14} />}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        )
      }
    >
      {me.data && <SecondFactorDue mfa={me.data.mfa} />}
      {wanted === '' && <RecentTiles applications={all} />}
      <section className={tiles.part} aria-labelledby="all">
        <h2 id="all" className={tiles.heading}>
          {m.all()} {all.length > 0 && <span className={styles.count}>{all.length}</span>}
        </h2>
        {applications.isPending && <RowsLoading rows={2} height={64} />}
        {applications.isError && <LoadError error={applications.error} retry={() => applications.refetch()} />}
        {applications.data && <Found all={all} found={found} text={text.trim()} clear={() => setText('')} />}
      </section>
      {me.data && (
        <div className={styles.foot}>
          <RecentSignIns />
          <CheckUp me={me.data} compact />
        </div>
      )}
    </Page>
  )
}

interface FoundProps {
  all: MyApplication[]
  found: MyApplication[]
  /** what the user searches */
  text: string
  clear: () => void
}

function Found({ all, found, text, clear }: FoundProps) {
  if (all.length === 0)
    return (
      <div className={styles.empty}>
        <EmptyState icon="apps" text={m.empty()} />
      </div>
    )
  if (found.length > 0) return <ApplicationTiles applications={found} />
  const action = (
    <Button variant="default" onClick={clear}>
      {m.clearSearch()}
    </Button>
  )
  return (
    <div className={styles.empty}>
      <EmptyState icon="search" text={m.noResults({ text })} action={action} />
    </div>
  )
}

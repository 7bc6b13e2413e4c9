import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import type { AuditArchive } from '../../../api/contract'
import m from '../../../messages/en/audit-retention.json'
import stack from '../../../ui/layout/stack.module.css'
import { EmptyState } from '../../../ui/page/empty-state'
import styles from '../../../ui/page/item-row.module.css'
import { LoadError } from '../../../ui/page/load-error'
import { More } from '../../../ui/page/more'
import { Panel } from '../../../ui/page/panel'
import { RowsLoading } from '../../../ui/page/rows-loading'
import { useCurrentTeam } from '../../organizations/current-team'
import { ArchiveRow } from './archive-row'
import { archivesQuery } from './queries'

/** The archives that are shown at first. A busy team has a new one every few days. */
const SHOWN = 12

interface Props {
  /** the retention; undefined while it is unknown */
  days: number | null | undefined
  mayDelete: boolean
}

/** The archives of the log, with their download and deletion. */
export function ArchivesPanel({ days, mayDelete }: Props) {
  const { team } = useCurrentTeam()
  const archives = useQuery(archivesQuery(team.id))
  const list = useRef<HTMLDivElement>(null)
  const rows = archives.data ?? []
  const older = rows.slice(SHOWN)
  const rowProps = { mayDelete, deleted: () => setTimeout(() => list.current?.focus()) }
  return (
    <Panel
      title={m.archives()}
      about={
        <>
          {m.archivesAbout()} <code>keyward audit verify</code>.
        </>
      }
    >
      <div className={stack.fields} ref={list} tabIndex={-1}>
        {archives.isPending && <RowsLoading rows={2} />}
        {archives.isError && !archives.data && <LoadError error={archives.error} retry={() => archives.refetch()} />}
        {archives.data?.length === 0 && (
          <EmptyState icon="archive" text={days === null ? m.archivesUnlimited() : m.archivesEmpty()} />
        )}
        {rows.length > 0 && <Rows archives={rows.slice(0, SHOWN)} {...rowProps} />}
        {older.length > 0 && (
          <More summary={m.older({ count: older.length })}>
            <Rows archives={older} {...rowProps} />
          </More>
        )}
      </div>
    </Panel>
  )
}

interface RowsProps {
  archives: readonly AuditArchive[]
  mayDelete: boolean
  deleted: () => void
}

function Rows({ archives, ...rowProps }: RowsProps) {
  return (
    <ul className={styles.list}>
      {archives.map((archive) => (
        <ArchiveRow key={archive.id} archive={archive} {...rowProps} />
      ))}
    </ul>
  )
}

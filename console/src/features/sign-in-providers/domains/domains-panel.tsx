import { Badge, Button, Modal } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { TeamDomain } from '../../../api/contract'
import { asProblem, type Problem } from '../../../api/problem'
import { announce } from '../../../ui/announcer'
import { ConfirmDialog } from '../../../ui/confirm-dialog'
import { CopyField } from '../../../ui/copy-field'
import { EmptyState } from '../../../ui/empty-state'
import { Facts } from '../../../ui/facts'
import { ProblemMessage } from '../../../ui/form/problem-message'
import { Icon } from '../../../ui/icons/icon'
import { LoadError } from '../../../ui/load-error'
import { More } from '../../../ui/more'
import { Notice } from '../../../ui/notice'
import { Panel } from '../../../ui/panel'
import { RelativeTime } from '../../../ui/relative-time'
import { RowsLoading } from '../../../ui/rows-loading'
import stack from '../../../ui/stack.module.css'
import { ssoWords as words } from '../../../words'
import { useCurrentTeam } from '../../organizations/current-team'
import { DomainForm } from './domain-form'
import styles from './domains-panel.module.css'
import { domainsQuery, removeDomain, verifyDomain } from './queries'

/** The email domains that a team proves to be its own. */
export function DomainsPanel() {
  const { team, me } = useCurrentTeam()
  const domains = useQuery(domainsQuery(team.id))
  const [adding, setAdding] = useState(false)
  const mayWrite = me.permissions.includes('sso:write')
  const add = mayWrite && (
    <Button variant="default" leftSection={<Icon name="plus" />} onClick={() => setAdding(true)}>
      {words.addDomain}
    </Button>
  )
  return (
    <Panel
      title={words.teamDomains}
      about={words.teamDomainsAbout}
      action={domains.data && domains.data.length > 0 && add}
    >
      {domains.isPending && <RowsLoading rows={1} />}
      {domains.isError && <LoadError error={domains.error} retry={() => domains.refetch()} />}
      {domains.data?.length === 0 && <EmptyState icon="mail" text={words.noDomains} action={add} />}
      {domains.data && domains.data.length > 0 && (
        <ul className={styles.list}>
          {domains.data.map((domain) => (
            <DomainRow key={domain.domain} domain={domain} mayWrite={mayWrite} />
          ))}
        </ul>
      )}
      <Modal opened={adding} onClose={() => setAdding(false)} title={words.addDomain}>
        <DomainForm close={() => setAdding(false)} />
      </Modal>
    </Panel>
  )
}

function DomainRow({ domain: row, mayWrite }: { domain: TeamDomain; mayWrite: boolean }) {
  const { team } = useCurrentTeam()
  const { domain, verified, record, checkedAt } = row
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<Problem | null>(null)
  const [asking, setAsking] = useState(false)

  async function lookUp() {
    setBusy(true)
    setProblem(null)
    try {
      await verifyDomain(team.id, domain)
      announce(words.provenNow(domain))
    } catch (thrown) {
      setProblem(asProblem(thrown))
    } finally {
      setBusy(false)
    }
  }

  const txt = (
    <div className={stack.tight}>
      <p className={`${stack.dimmed} ${stack.small}`}>{words.record}</p>
      <Facts
        facts={[
          { name: words.recordName, value: <CopyField label={words.recordName} value={record.name} /> },
          { name: words.recordValue, value: <CopyField label={words.recordValue} value={record.value} /> },
        ]}
      />
    </div>
  )
  return (
    <li className={styles.domain}>
      <div className={styles.head}>
        <p className={styles.name}>
          {domain}
          <DomainBadge row={row} />
        </p>
        {mayWrite && (
          <div className={stack.row}>
            <Button
              variant="default"
              size="compact-md"
              loading={busy}
              aria-label={words.lookUpLabel(domain)}
              onClick={lookUp}
            >
              {words.lookUp}
            </Button>
            <Button
              variant="default"
              size="compact-md"
              aria-label={words.removeDomainLabel(domain)}
              onClick={() => setAsking(true)}
            >
              {words.removeDomain}
            </Button>
          </div>
        )}
      </div>
      {checkedAt && (
        <p className={`${stack.dimmed} ${stack.small}`}>
          {words.checkedAt} <RelativeTime at={checkedAt} />
        </p>
      )}
      <DomainProblem problem={problem} />
      {verified ? <More summary={words.showRecord}>{txt}</More> : txt}
      <ConfirmDialog
        opened={asking}
        title={words.removeDomainTitle(domain)}
        text={words.removeDomainText}
        verb={words.removeDomain}
        act={() => removeDomain(team.id, domain).then(() => announce(words.domainRemoved(domain)))}
        close={() => setAsking(false)}
      />
    </li>
  )
}

function DomainBadge({ row: { verified, checkedAt } }: { row: TeamDomain }) {
  if (verified)
    return (
      <Badge color="green" leftSection={<Icon name="done" size={14} />}>
        {words.proven}
      </Badge>
    )
  if (checkedAt)
    return (
      <Badge color="yellow" leftSection={<Icon name="warning" size={14} />}>
        {words.notSeen}
      </Badge>
    )
  return <Badge leftSection={<Icon name="circle" size={14} />}>{words.unproven}</Badge>
}

function DomainProblem({ problem }: { problem: Problem | null }) {
  if (problem?.code !== 'domain_not_proven') return <ProblemMessage problem={problem} />
  return (
    <Notice kind="error">
      <p>{problem.code === 'domain_not_proven' ? words.notProven : words.provenElsewhere}</p>
    </Notice>
  )
}

import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { TeamDomain } from '../../../api/contract'
import { asProblem } from '../../../api/problem'
import { useWrite } from '../../../api/use-write'
import m from '../../../messages/en/sign-in-providers.json'
import { ConfirmDialog } from '../../../ui/dialogs/confirm-dialog'
import { ProblemMessage } from '../../../ui/form/problem-message'
import { Icon } from '../../../ui/icons/icon'
import { Notice } from '../../../ui/layout/notice'
import stack from '../../../ui/layout/stack.module.css'
import { EmptyState } from '../../../ui/page/empty-state'
import { Facts } from '../../../ui/page/facts'
import { LoadError } from '../../../ui/page/load-error'
import { More } from '../../../ui/page/more'
import { Panel } from '../../../ui/page/panel'
import { RowsLoading } from '../../../ui/page/rows-loading'
import { CopyField } from '../../../ui/secrets/copy-field'
import { RelativeTime } from '../../../ui/values/relative-time'
import { StatusBadge } from '../../../ui/values/status-badge'
import { useCurrentTeam } from '../../organizations/current-team'
import { DomainForm } from './domain-form'
import styles from './domains-panel.module.css'
import { domainsQuery, removeDomain, verifyDomain } from './queries'

/** The email domains of the team and their verification. */
export function DomainsPanel() {
  const { team, me } = useCurrentTeam()
  const domains = useQuery(domainsQuery(team.id))
  const [adding, setAdding] = useState(false)
  const mayWrite = me.permissions.includes('sso:write')
  const add = mayWrite && (
    <Button variant="default" leftSection={<Icon name="plus" />} onClick={() => setAdding(true)}>
      {m.addDomain()}
    </Button>
  )
  return (
    <Panel title={m.teamDomains()} about={m.teamDomainsHelp()} action={domains.data && domains.data.length > 0 && add}>
      {domains.isPending && <RowsLoading rows={1} />}
      {domains.isError && <LoadError error={domains.error} retry={() => domains.refetch()} />}
      {domains.data?.length === 0 && <EmptyState icon="mail" text={m.noDomains()} action={add} />}
      {domains.data && domains.data.length > 0 && (
        <ul className={styles.list}>
          {domains.data.map((domain) => (
            <DomainRow key={domain.domain} domain={domain} mayWrite={mayWrite} />
          ))}
        </ul>
      )}
      {adding && <DomainForm close={() => setAdding(false)} />}
    </Panel>
  )
}

function DomainRow({ domain: row, mayWrite }: { domain: TeamDomain; mayWrite: boolean }) {
  const { team } = useCurrentTeam()
  const { domain, verified, record, checkedAt } = row
  const refresh = [domainsQuery(team.id).queryKey]
  const [asking, setAsking] = useState(false)
  const verify = useWrite({
    act: () => verifyDomain(team.id, domain),
    refresh,
    done: () => m.verified({ domain }),
    showsError: true,
  })
  const remove = useWrite({
    act: () => removeDomain(team.id, domain),
    refresh,
    done: () => m.domainRemoved({ domain }),
    showsError: true,
  })
  const txt = (
    <div className={stack.tight}>
      <p className={`${stack.dimmed} ${stack.small}`}>{m.record()}</p>
      <Facts
        facts={[
          { name: m.recordName(), value: <CopyField label={m.recordName()} value={record.name} /> },
          { name: m.recordValue(), value: <CopyField label={m.recordValue()} value={record.value} /> },
        ]}
      />
    </div>
  )
  return (
    <li className={styles.domain}>
      <div className={styles.head}>
        <p className={styles.name}>
          {domain}
          <StatusBadge tone={verified ? 'ok' : checkedAt ? 'warn' : 'neutral'}>
            {m.domainState({ state: verified ? 'verified' : checkedAt ? 'notFound' : 'unverified' })}
          </StatusBadge>
        </p>
        {mayWrite && (
          <div className={stack.row}>
            <Button
              variant="default"
              size="compact-md"
              loading={verify.isPending}
              aria-label={m.verifyLabel({ domain })}
              onClick={() => verify.mutate()}
            >
              {m.verify()}
            </Button>
            <Button
              variant="default"
              size="compact-md"
              aria-label={m.removeDomainLabel({ domain })}
              onClick={() => setAsking(true)}
            >
              {m.removeDomain()}
            </Button>
          </div>
        )}
      </div>
      {checkedAt && (
        <p className={`${stack.dimmed} ${stack.small}`}>
          {m.checkedAt()} <RelativeTime at={checkedAt} />
        </p>
      )}
      {verify.error != null && <DomainProblem error={verify.error} />}
      {verified ? <More summary={m.showRecord()}>{txt}</More> : txt}
      <ConfirmDialog
        opened={asking}
        title={m.removeDomainTitle({ domain })}
        text={m.removeDomainText()}
        verb={m.removeDomain()}
        act={() => remove.mutateAsync()}
        close={() => setAsking(false)}
      />
    </li>
  )
}

function DomainProblem({ error }: { error: unknown }) {
  const problem = asProblem(error)
  if (problem.code !== 'domain_not_proven') return <ProblemMessage problem={problem} />
  return (
    <Notice kind="error">
      <p>{m.recordNotFound()}</p>
    </Notice>
  )
}

import type { DirectoryRun } from '../../../../api/contract'
import m from '../../../../messages/en/ldap-runs.json'
import hidden from '../../../../ui/document/hidden.module.css'
import stack from '../../../../ui/layout/stack.module.css'
import { More } from '../../../../ui/page/more'
import { Panel } from '../../../../ui/page/panel'
import styles from '../entries.module.css'

/** A longer list of one kind is closed at first. */
const MAX_OPEN = 20

/** The changes that a sync would make, by kind. */
export function PlannedChanges({ run }: { run: DirectoryRun }) {
  const { dryRun, status, planned } = run
  if (!dryRun || status !== 'completed') return null
  const kinds = [...new Set(planned.map(({ what }) => what))].map((what) => ({
    what,
    changes: planned.filter((change) => change.what === what),
  }))
  const total = run.created + run.updated + run.suspended + run.groupsCreated + run.groupsUpdated
  return (
    <Panel title={m.plan()} about={<Summary run={run} />}>
      {kinds.length === 0 && <p>{m.planNone()}</p>}
      <div className={stack.fields}>
        {total > planned.length && <p>{m.planFirst({ count: planned.length })}</p>}
        {kinds.map(({ what, changes }) => (
          <More
            key={what}
            open={changes.length <= MAX_OPEN}
            summary={m.plannedCount({ what: m.planned({ what }), count: changes.length })}
          >
            <ul className={styles.list}>
              {changes.map(({ dn, name }) => (
                <li key={dn} className={styles.entry}>
                  <p className={styles.name}>{name}</p>
                  {name !== dn && <p className={styles.dn}>{dn}</p>}
                </li>
              ))}
            </ul>
          </More>
        ))}
      </div>
    </Panel>
  )
}

function Summary({ run }: { run: DirectoryRun }) {
  return (
    <>
      <span aria-hidden="true">{m.short(run)}</span>
      <span className={hidden.hidden}>{m.planSummary(run)}</span>
    </>
  )
}

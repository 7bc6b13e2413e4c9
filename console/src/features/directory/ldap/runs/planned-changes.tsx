import type { DirectoryRun } from '../../../../api/contract'
import hidden from '../../../../ui/hidden.module.css'
import { More } from '../../../../ui/more'
import { Panel } from '../../../../ui/panel'
import stack from '../../../../ui/stack.module.css'
import { ldapRunWords as words } from '../../../../words'
import styles from '../entries.module.css'

/** More than these of a kind are a click away. */
const FEW = 20

/** What a dry run says that a sync would do, kind by kind. */
export function PlannedChanges({ run }: { run: DirectoryRun }) {
  const { dryRun, status, planned } = run
  if (!dryRun || status !== 'completed') return null
  const kinds = [...new Set(planned.map(({ what }) => what))].map((what) => ({
    what,
    changes: planned.filter((change) => change.what === what),
  }))
  const all = run.created + run.updated + run.suspended + run.groupsCreated + run.groupsUpdated
  return (
    <Panel title={words.plan} about={<Sum run={run} />}>
      {kinds.length === 0 && <p>{words.planNothing}</p>}
      <div className={stack.fields}>
        {all > planned.length && <p>{words.planFirst(planned.length)}</p>}
        {kinds.map(({ what, changes }) => (
          <More
            key={what}
            open={changes.length <= FEW}
            summary={`${words.planned(what)} (${words.number(changes.length)})`}
          >
            <ul className={styles.list}>
              {changes.map(({ dn, name }) => (
                <li key={dn} className={styles.person}>
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

function Sum({ run }: { run: DirectoryRun }) {
  return (
    <>
      <span aria-hidden="true">{words.short(run)}</span>
      <span className={hidden.hidden}>{words.wouldShort(run)}</span>
    </>
  )
}

import type { LdapTest } from '../../../api/contract'
import m from '../../../messages/en/ldap.json'
import { type Check, CheckList, isProblem } from '../../../ui/layout/check-list'
import { Notice } from '../../../ui/layout/notice'
import stack from '../../../ui/layout/stack.module.css'
import { StatusBadge } from '../../../ui/values/status-badge'
import styles from './entries.module.css'

/** A test counts at most this many entries. */
const MAX_COUNT = 10_000

const counted = (count: number, exact: typeof m.users, atLeast: typeof m.usersAtLeast) =>
  (count >= MAX_COUNT ? atLeast : exact)({ count })

/** Returns the result of a test in one sentence. */
export const verdictOf = ({ success, checks, users, groups }: LdapTest): string =>
  success
    ? m.good({
        users: counted(users ?? 0, m.users, m.usersAtLeast),
        groups: counted(groups ?? 0, m.groups, m.groupsAtLeast),
      })
    : m.bad({ count: checks.filter(({ status }) => status === 'failed').length })

/** The checks of a test with their fixes, and sample users. */
export function TestReport({ test, isOutdated }: { test: LdapTest; isOutdated: boolean }) {
  return (
    <>
      <Notice kind={test.success && !isOutdated ? 'success' : 'warning'} title={verdictOf(test)}>
        {isOutdated && <p>{m.changedSince()}</p>}
      </Notice>
      <CheckList checks={test.checks.map(toCheck)} />
      {test.samples.length > 0 && <Samples samples={test.samples} />}
    </>
  )
}

const states: Record<string, Check['state']> = { ok: 'good', warning: 'attention', failed: 'failed' }

function toCheck({ id, status, detail, fix }: LdapTest['checks'][number]): Check {
  const state = states[status] ?? 'open'
  const check = m.check({ id })
  return {
    state,
    title: isProblem(state) ? m.checkResult({ state: m.checkState({ status }), check }) : check,
    badge: state === 'open' && <StatusBadge tone="neutral">{m.checkState({ status })}</StatusBadge>,
    text: (
      <>
        {state !== 'good' && <p>{detail}</p>}
        {fix && (
          <p>
            <strong>{fix}</strong>
          </p>
        )}
      </>
    ),
  }
}

function Samples({ samples }: { samples: LdapTest['samples'] }) {
  return (
    <section className={stack.tight}>
      <h3 className={styles.title}>{m.samples()}</h3>
      <p className={`${stack.dimmed} ${stack.small}`}>{m.samplesHelp({ count: samples.length })}</p>
      <ul className={styles.list}>
        {samples.map((sample) => (
          <Sample key={sample.dn} sample={sample} />
        ))}
      </ul>
    </section>
  )
}

function Sample({ sample: { dn, email, profile, active, problem } }: { sample: LdapTest['samples'][number] }) {
  const fields = Object.entries(profile)
  return (
    <li className={styles.entry}>
      <p className={styles.name}>
        {email ?? dn}
        {!active && <StatusBadge tone="warn">{m.inactive()}</StatusBadge>}
        {problem !== null && <StatusBadge tone="bad">{m.invalid()}</StatusBadge>}
      </p>
      {email !== null && <p className={styles.dn}>{dn}</p>}
      {problem !== null && <p>{problem}</p>}
      {fields.length > 0 && (
        <dl className={styles.fields}>
          {fields.map(([field, value]) => (
            <div key={field} className={styles.field}>
              <dt>{m.field({ field })}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
    </li>
  )
}

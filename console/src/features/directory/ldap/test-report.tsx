import { Badge } from '@mantine/core'
import type { LdapTest } from '../../../api/contract'
import { type Check, CheckList } from '../../../ui/check-list'
import { Icon } from '../../../ui/icons/icon'
import { Notice } from '../../../ui/notice'
import stack from '../../../ui/stack.module.css'
import { ldapWords as words } from '../../../words'
import styles from './entries.module.css'

/** What a test came to, in a sentence. */
export const verdictOf = ({ success, checks, users, groups }: LdapTest): string =>
  success ? words.good(users ?? 0, groups ?? 0) : words.bad(checks.filter(({ status }) => status === 'failed').length)

/** Each check with what to do about it, and the people as they would be imported. */
export function TestReport({ test, isOutdated = false }: { test: LdapTest; isOutdated?: boolean }) {
  return (
    <>
      <Notice kind={test.success && !isOutdated ? 'success' : 'warning'} title={verdictOf(test)}>
        {isOutdated && <p>{words.changedSince}</p>}
      </Notice>
      <CheckList checks={test.checks.map(shownCheck)} />
      {test.samples.length > 0 && <Samples samples={test.samples} />}
    </>
  )
}

const states: Record<string, Check['state']> = { ok: 'good', warning: 'attention', failed: 'failed' }

function shownCheck({ id, status, detail, fix }: LdapTest['checks'][number]): Check {
  const state = states[status] ?? 'open'
  return {
    state,
    title: state === 'good' ? words.check(id) : `${words.stateOf(status)}: ${words.check(id)}`,
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
      <h3 className={styles.title}>{words.samples}</h3>
      <p className={`${stack.dimmed} ${stack.small}`}>{words.samplesAbout(samples.length)}</p>
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
    <li className={styles.person}>
      <p className={styles.name}>
        {email ?? dn}
        {!active && (
          <Badge color="yellow" leftSection={<Icon name="warning" size={14} />}>
            {words.closed}
          </Badge>
        )}
        {problem !== null && (
          <Badge color="red" leftSection={<Icon name="alert" size={14} />}>
            {words.notTaken}
          </Badge>
        )}
      </p>
      {email !== null && <p className={styles.dn}>{dn}</p>}
      {problem !== null && <p>{problem}</p>}
      {fields.length > 0 && (
        <dl className={styles.fields}>
          {fields.map(([field, value]) => (
            <div key={field} className={styles.field}>
              <dt>{words.field(field)}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
    </li>
  )
}

import { Checkbox, TextInput } from '@mantine/core'
import common from '../../../messages/en/common.json'
import m from '../../../messages/en/tokens.json'
import { SaveBar } from '../../../ui/form/save-bar'
import { useSchemaForm } from '../../../ui/form/use-schema-form'
import { Notice } from '../../../ui/layout/notice'
import stack from '../../../ui/layout/stack.module.css'
import { Panel } from '../../../ui/page/panel'
import { changePolicy } from './calls'
import { useCurrentConfig } from './current-config'
import { durationText, readDuration } from './duration'
import {
  isLongAccess,
  type Lifetime,
  type Lifetimes,
  lifetimesOf,
  lifetimesSchema,
  limits,
  policyChanges,
} from './lifetimes-form'
import styles from './lifetimes-panel.module.css'
import { useConfigWrite } from './use-config-write'

const TOKENS = ['accessTokenLifetime', 'idTokenLifetime', 'refreshTokenLifetime'] as const

/** The lifetimes of the application's tokens, and the rotation of refresh tokens. */
export function LifetimesPanel() {
  const { config, at, mayWrite } = useCurrentConfig()
  const policy = config.tokenPolicy
  const save = useConfigWrite(
    (values: Lifetimes) => changePolicy(at, policyChanges(policy, values)),
    () => common.saved(),
  )
  const { form, problem, busy, changes, discard, onSubmit, values } = useSchemaForm({
    schema: lifetimesSchema,
    initial: lifetimesOf(policy),
    send: save.mutateAsync,
  })
  const field = (name: Lifetime) => {
    const { from, to, usual } = limits[name]
    const seconds = readDuration(values[name])
    const range = m.durationHint({ from: durationText(from), to: durationText(to), usual: durationText(usual) })
    return (
      <div key={name}>
        <TextInput
          label={m.lifetime({ token: name })}
          description={name === 'reuseInterval' ? `${m.reuseIntervalHint()} ${range}` : range}
          autoComplete="off"
          key={form.key(name)}
          {...form.getInputProps(name)}
        />
        {seconds !== null && <p className={styles.seconds}>{m.seconds({ count: seconds })}</p>}
      </div>
    )
  }
  return (
    <Panel title={m.lifetimes()} about={m.lifetimesAbout()}>
      <form onSubmit={onSubmit} noValidate aria-label={m.lifetimes()}>
        <fieldset disabled={!mayWrite} className={`${styles.plain} ${stack.parts}`}>
          <div className={styles.fields}>{TOKENS.map(field)}</div>
          {isLongAccess(values.accessTokenLifetime) && (
            <Notice kind="warning">
              <p>{m.longAccess()}</p>
            </Notice>
          )}
          <Checkbox
            label={m.rotation()}
            description={m.rotationAbout()}
            key={form.key('rotationEnabled')}
            {...form.getInputProps('rotationEnabled', { type: 'checkbox' })}
          />
          <div className={stack.narrow}>{field('reuseInterval')}</div>
        </fieldset>
        <SaveBar changes={changes} busy={busy} problem={problem} discard={discard} />
      </form>
    </Panel>
  )
}

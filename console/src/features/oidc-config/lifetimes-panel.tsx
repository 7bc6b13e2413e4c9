import { useState } from 'react'
import m from '../../messages/en/form.json'
import { announce } from '../../ui/announcer'
import { ChoiceList } from '../../ui/form/choice-list'
import { Field } from '../../ui/form/field'
import { ProblemMessage } from '../../ui/form/problem-message'
import { SaveButton } from '../../ui/form/save-button'
import { useForm } from '../../ui/form/use-form'
import { Notice } from '../../ui/notice'
import { Panel } from '../../ui/panel'
import stack from '../../ui/stack.module.css'
import { useUnsaved } from '../../ui/unsaved'
import { tokenWords as words } from '../../words'
import { changePolicy } from './calls'
import { useCurrentConfig } from './current-config'
import { durationText, readDuration } from './duration'
import { isLongAccess, type Lifetime, limits, policyChanges, policyNames, wrongLifetimes } from './lifetimes-form'
import styles from './lifetimes-panel.module.css'

const lives = ['accessTokenLifetime', 'idTokenLifetime', 'refreshTokenLifetime'] as const

/** How long the tokens of the application are good. */
export function LifetimesPanel() {
  const { config, at, mayWrite } = useCurrentConfig()
  const policy = config.tokenPolicy
  const [saved, setSaved] = useState(false)
  const [longAccess, setLongAccess] = useState(isLongAccess(durationText(policy.accessTokenLifetime)))
  const { form, errors, problem, busy, dirty } = useForm({
    names: policyNames,
    check: wrongLifetimes,
    send: async (values) => {
      await changePolicy(at, policyChanges(policy, values))
    },
    saved: () => {
      setSaved(true)
      announce(m.saved())
    },
  })
  useUnsaved(dirty)
  const field = (name: Lifetime) => <LifetimeField key={name} name={name} seconds={policy[name]} error={errors[name]} />
  return (
    <Panel title={words.lifetimes} about={words.lifetimesAbout}>
      <form
        {...form}
        aria-label={words.lifetimes}
        onChange={(event) => {
          form.onChange(event)
          const { accessTokenLifetime } = event.currentTarget.elements as unknown as Record<string, HTMLInputElement>
          setLongAccess(isLongAccess(accessTokenLifetime?.value ?? ''))
        }}
      >
        <fieldset disabled={!mayWrite} className={`${styles.plain} ${stack.parts}`}>
          <div className={styles.lives}>{lives.map(field)}</div>
          {longAccess && (
            <Notice kind="warning">
              <p>{words.longAccess}</p>
            </Notice>
          )}
          <ChoiceList
            legend={words.rotation}
            name="rotationEnabled"
            chosen={policy.rotationEnabled ? ['on'] : []}
            choices={[{ value: 'on', title: words.rotationTitle, about: words.rotationAbout }]}
          />
          <div className={stack.narrow}>{field('reuseInterval')}</div>
          <ProblemMessage problem={problem} />
          {mayWrite && <SaveButton busy={busy} dirty={dirty} saved={saved} />}
        </fieldset>
      </form>
    </Panel>
  )
}

function LifetimeField({ name, seconds, error }: { name: Lifetime; seconds: number; error: string | undefined }) {
  const [text, setText] = useState(durationText(seconds))
  const { from, to, usual } = limits[name]
  const read = readDuration(text)
  const range = words.durationHint(durationText(from), durationText(to), durationText(usual))
  return (
    <Field
      name={name}
      label={words[name]}
      value={text}
      onChange={(event) => setText(event.target.value)}
      autoComplete="off"
      error={error}
      below={read !== null && <p className={styles.seconds}>{words.seconds(read)}</p>}
      hint={name === 'reuseInterval' ? `${words.reuseIntervalHint} ${range}` : range}
    />
  )
}

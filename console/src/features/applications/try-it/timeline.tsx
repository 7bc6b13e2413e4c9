import { Loader } from '@mantine/core'
import type { ReactNode } from 'react'
import hidden from '../../../ui/hidden.module.css'
import { Icon } from '../../../ui/icons/icon'
import { Notice } from '../../../ui/notice'
import { tryWords as words } from '../../../words'
import { StepDetails } from './step-details'
import styles from './timeline.module.css'
import { type Check, type Step, type StepName, stepNames } from './try-steps'

/** Of the step's title, which can be given the focus. */
export function stepId(name: StepName): string {
  return `step-${name}`
}

interface Props {
  steps: Partial<Record<StepName, Step>>
  shown: boolean
  /** ways to mend a failed step */
  mend: ReactNode
}

/** The run, step by step. The words carry the state, the marks repeat it. */
export function Timeline({ steps, shown, mend }: Props) {
  const ended = Object.values(steps).some(({ state }) => state === 'failed')
  return (
    <ol className={styles.timeline}>
      {stepNames.map((name) => {
        const step = steps[name]
        const state = step?.state ?? 'waiting'
        const { title, text } = words.steps[name]
        return (
          <li key={name} className={styles.step}>
            <span className={styles.mark} data-state={state}>
              {state === 'running' ? <Loader size={20} aria-hidden="true" /> : <Icon name={marks[state]} size={24} />}
            </span>
            <div className={styles.content}>
              <div className={styles.head}>
                <h3 id={stepId(name)} tabIndex={-1} className={styles.title}>
                  {title}
                </h3>
                <span className={styles.state}>{words.states[state === 'waiting' && ended ? 'missed' : state]}</span>
              </div>
              <p className={styles.text}>{step?.skipped ? words.skipped[step.skipped] : text}</p>
              {step && <Checks checks={step.checks} />}
              {step?.fault && (
                <Notice kind="error" title={step.fault.code}>
                  {words.fix(step.fault.code) && <p>{words.fix(step.fault.code)}</p>}
                  {step.fault.description && <p>{step.fault.description}</p>}
                  {mend}
                </Notice>
              )}
              {step && state !== 'running' && <StepDetails step={step} shown={shown} />}
            </div>
          </li>
        )
      })}
    </ol>
  )
}

const marks = { waiting: 'circle', done: 'done', failed: 'alert', skipped: 'minus' } as const

function Checks({ checks }: { checks: Check[] }) {
  if (checks.length === 0) return null
  return (
    <ul className={styles.checks}>
      {checks.map(({ name, passed }) => (
        <li key={name} className={styles.check} data-passed={passed ?? undefined}>
          <Icon name={passed === null ? 'minus' : passed ? 'check' : 'alert'} size={18} />
          <span>
            {words.checks[name]}
            {passed === null && ` (${words.notSent})`}
            {passed !== null && <span className={hidden.hidden}>: {passed ? words.passed : words.notPassed}</span>}
          </span>
        </li>
      ))}
    </ul>
  )
}

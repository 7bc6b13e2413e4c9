import { type ReactNode, useEffect, useRef } from 'react'
import common from '../../messages/en/setup-steps.json'
import { hasLostFocus } from '../document/focus'
import { Icon } from '../icons/icon'
import styles from './setup-steps.module.css'

export interface SetupStep {
  title: string
  /** one line on what it is for, or its result */
  help: string
  done: boolean
  /** opens the step from the list; absent if that is not possible */
  open?: (() => void) | undefined
}

interface Props {
  /** names the list for assistive technology */
  label: string
  steps: readonly SetupStep[]
  /** index of the current step */
  current: number
  children: ReactNode
}

/** A setup in numbered steps: the list at the left and the current step beside it; one segment for each on narrow screens. */
export function SetupSteps({ label, steps, current, children }: Props) {
  const number = current + 1
  const content = useRef<HTMLDivElement>(null)
  const before = useRef(current)
  // The button that opened the next step is gone.
  useEffect(() => {
    if (before.current === current) return
    before.current = current
    if (!hasLostFocus()) return
    content.current?.focus({ preventScroll: true })
    content.current?.scrollIntoView({ block: 'nearest' })
  }, [current])
  return (
    <div className={styles.setup}>
      <div className={styles.rail}>
        <ol className={styles.steps} aria-label={label}>
          {steps.map(({ title, help, done, open }, index) => {
            const isCurrent = index === current
            const line = (
              <>
                <span className={styles.mark} aria-hidden="true">
                  {done && !isCurrent ? <Icon name="check" size={14} /> : index + 1}
                </span>
                <span className={styles.text}>
                  <span className={styles.title}>{title}</span>
                  <span className={styles.help}>{help}</span>
                </span>
              </>
            )
            return (
              <li key={title} data-state={isCurrent ? 'current' : done ? 'done' : undefined}>
                {open && !isCurrent ? (
                  <button type="button" className={styles.step} onClick={open}>
                    {line}
                  </button>
                ) : (
                  <div className={styles.step} aria-current={isCurrent ? 'step' : undefined}>
                    {line}
                  </div>
                )}
              </li>
            )
          })}
        </ol>
        <div className={styles.progress}>
          <span>{common.position({ number, total: steps.length })}</span>
          <span className={styles.segments} aria-hidden="true">
            {steps.map(({ title }, index) => (
              <span key={title} data-done={index < number || undefined} />
            ))}
          </span>
        </div>
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields, and a step can have none. */}
      <div ref={content} role="group" aria-label={steps[current]?.title} tabIndex={-1} className={styles.content}>
        {children}
      </div>
    </div>
  )
}

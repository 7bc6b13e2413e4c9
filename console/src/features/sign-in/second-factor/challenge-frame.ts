import type { ReactNode } from 'react'
import type { SessionAnswer } from '../../../api/contract'
import type { Challenge, WhyOver } from './challenge'

/** Shows a step, as a page or in a dialog. */
export type StepFrame = (parts: {
  heading: string
  lead: string
  /** the result of the last attempt, instead of the lead */
  message?: ReactNode
  children: ReactNode
  /** help, at the end */
  below?: ReactNode
}) => ReactNode

/** The common properties of all steps. */
export interface StepProps {
  challenge: Challenge
  frame: StepFrame
  passed: (answer: SessionAnswer) => void | Promise<void>
  over: (why: WhyOver) => void
  /** other methods and the remaining time */
  more: ReactNode
  /** opens the help for a lost device */
  help: ReactNode
}

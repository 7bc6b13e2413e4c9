import type { ReactNode } from 'react'
import type { SessionAnswer } from '../../api/contract'
import type { Challenge, WhyOver } from './challenge'

/** How a step is shown: as a page, or in a dialog. */
export type StepFrame = (parts: {
  heading: string
  lead: string
  /** what became of the last try, in place of the lead */
  message: ReactNode
  children: ReactNode
}) => ReactNode

/** What a step has besides its own. */
export interface StepProps {
  challenge: Challenge
  frame: StepFrame
  passed: (answer: SessionAnswer) => void | Promise<void>
  over: (why: WhyOver) => void
  /** the other ways, the time left, and whom to ask */
  more: ReactNode
}

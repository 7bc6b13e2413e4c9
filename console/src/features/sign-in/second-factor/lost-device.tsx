import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import type { ChallengeMethod } from '../../../api/contract'
import m from '../../../messages/en/second-factor.json'
import { supportEmail } from '../../../ui/document/login-config'
import { Icon } from '../../../ui/icons/icon'
import stack from '../../../ui/layout/stack.module.css'
import parts from '../../../ui/public/parts.module.css'
import { QuietButton } from '../../../ui/public/quiet-button'
import type { StepFrame } from './challenge-frame'
import { methodIcons } from './method-icons'

interface Props {
  /** the other methods of the account that work in this browser */
  methods: ChallengeMethod[]
  choose: (method: ChallengeMethod) => void
  back: () => void
  frame: StepFrame
  timeLeft: ReactNode
  /** other teams */
  more: ReactNode
}

/** The methods that work without the usual device, then who can reset two-step verification. */
export function LostDevice({ methods, choose, back, frame, timeLeft, more }: Props) {
  const email = supportEmail()
  return frame({
    heading: m.lostHeading(),
    lead: methods.length > 0 ? m.lostLead() : m.lostNone(),
    children: (
      <>
        {methods.length > 0 && (
          <div className={stack.tight}>
            {methods.map((method) => (
              <Button
                key={method}
                variant="default"
                fullWidth
                className={parts.choice as string}
                leftSection={<Icon name={methodIcons[method]} />}
                onClick={() => choose(method)}
              >
                {m.lostMethod({ method })}
              </Button>
            ))}
          </div>
        )}
        <p className={parts.note}>
          {methods.length > 0 ? m.lostAdmin() : m.lostAdminOnly()}
          {email && (
            <>
              {' '}
              {m.lostSupport()} <a href={`mailto:${email}`}>{email}</a>
            </>
          )}
        </p>
        {timeLeft}
        <QuietButton icon="arrowLeft" onClick={back}>
          {m.back()}
        </QuietButton>
        {more}
      </>
    ),
  })
}

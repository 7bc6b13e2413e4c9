import { Button } from '@mantine/core'
import parts from '../../../ui/public/parts.module.css'

interface Props {
  deny: string
  allow: string
  /** the button whose request is pending */
  busy: 'allow' | 'deny' | null
  answer: (consent: boolean) => void
}

/** Deny and Allow, of equal size. */
export function AnswerButtons({ deny, allow, busy, answer }: Props) {
  return (
    <div className={parts.pair}>
      <Button variant="default" loading={busy === 'deny'} disabled={busy === 'allow'} onClick={() => answer(false)}>
        {deny}
      </Button>
      <Button loading={busy === 'allow'} disabled={busy === 'deny'} onClick={() => answer(true)}>
        {allow}
      </Button>
    </div>
  )
}

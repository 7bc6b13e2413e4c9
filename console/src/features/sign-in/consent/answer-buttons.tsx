import { Button } from '@mantine/core'
import styles from './consent-form.module.css'

interface Props {
  deny: string
  allow: string
  /** the button whose request is pending */
  busy: 'allow' | 'deny' | null
  answer: (consent: boolean) => void
}

/** Deny and Allow, of equal size. */
export function AnswerButtons({ deny, allow, busy, answer }: Props) {
  const big = { h: 44, fz: 'md' } as const
  return (
    <div className={styles.choice}>
      <Button
        {...big}
        variant="default"
        loading={busy === 'deny'}
        disabled={busy === 'allow'}
        onClick={() => answer(false)}
      >
        {deny}
      </Button>
      <Button {...big} loading={busy === 'allow'} disabled={busy === 'deny'} onClick={() => answer(true)}>
        {allow}
      </Button>
    </div>
  )
}

import { Button } from '@mantine/core'
import { type ReactNode, useEffect, useState } from 'react'
import { asProblem, type Problem } from '../../../api/problem'
import m from '../../../messages/en/links.json'
import { announce } from '../../../ui/announcer'
import { AuthLayout } from '../../../ui/auth-layout'
import { ProblemMessage } from '../../../ui/form/problem-message'
import stack from '../../../ui/stack.module.css'
import { mailProvider } from './mail-provider'

const pauseSeconds = 30

interface Props {
  text: { before: string; email: string; after: string }
  resend: () => Promise<unknown>
  /** returns to the form, which keeps the email address */
  change?: () => void
  /** the location of the mail, instead of the hint */
  children?: ReactNode
  below?: ReactNode
}

/** Shown after an email was requested. Does not disclose whether an account exists. */
export function MailSent({ text, resend, change, children, below }: Props) {
  const [left, setLeft] = useState(pauseSeconds)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<Problem | null>(null)
  useEffect(() => {
    if (left <= 0) return
    const timer = setTimeout(() => setLeft(left - 1), 1000)
    return () => clearTimeout(timer)
  }, [left])

  async function again() {
    setBusy(true)
    setProblem(null)
    try {
      await resend()
      announce(m.resent())
      setLeft(pauseSeconds)
    } catch (thrown) {
      setProblem(asProblem(thrown))
    } finally {
      setBusy(false)
    }
  }

  const provider = mailProvider(text.email)
  return (
    <AuthLayout
      heading={m.sentTitle()}
      lead={
        <p>
          {text.before} <strong>{text.email}</strong> {text.after}
        </p>
      }
      below={below}
    >
      <div className={stack.fields}>
        {children || <p className={`${stack.dimmed} ${stack.small}`}>{m.hint()}</p>}
        {provider && (
          <Button component="a" href={provider.url} rel="noreferrer" fullWidth>
            {m.openMail({ provider: provider.name })}
          </Button>
        )}
        <ProblemMessage problem={problem} />
        <Button variant="default" fullWidth disabled={left > 0} loading={busy} onClick={again}>
          <span data-numeric>{left > 0 ? m.resendIn({ seconds: left }) : m.resend()}</span>
        </Button>
        {change && (
          <Button variant="subtle" fullWidth onClick={change}>
            {m.otherEmail()}
          </Button>
        )}
      </div>
    </AuthLayout>
  )
}

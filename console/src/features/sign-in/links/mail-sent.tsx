import { Button } from '@mantine/core'
import { type ReactNode, useEffect, useState } from 'react'
import { asProblem, type Problem } from '../../../api/problem'
import m from '../../../messages/en/link-request.json'
import { announce } from '../../../ui/document/announcer'
import { AuthLayout } from '../../../ui/document/auth-layout'
import { ProblemMessage } from '../../../ui/form/problem-message'
import stack from '../../../ui/layout/stack.module.css'
import { QuietButton } from '../../../ui/public/quiet-button'
import { countdown } from '../../../ui/values/time'
import { mailProvider } from './mail-provider'

const pauseSeconds = 30

interface Props {
  text: { before: string; email: string; after: string }
  resend: () => Promise<unknown>
  /** returns to the form, which keeps the email address */
  change?: () => void
  /** the location of the mail */
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
      glyph="mail"
      heading={m.sentTitle()}
      message={problem && <ProblemMessage problem={problem} />}
      lead={
        <p>
          {text.before} <b>{text.email}</b> {text.after}
        </p>
      }
      below={below}
    >
      <div className={stack.fields}>
        {children}
        {provider && (
          <Button component="a" href={provider.url} rel="noreferrer" fullWidth>
            {m.openMail({ provider: provider.name })}
          </Button>
        )}
        <Button
          variant="default"
          fullWidth
          aria-disabled={left > 0 || undefined}
          loading={busy}
          rightSection={left > 0 && <span data-numeric>{countdown(left)}</span>}
          onClick={() => left <= 0 && again()}
        >
          {m.resend()}
        </Button>
      </div>
      {change && <QuietButton onClick={change}>{m.otherEmail()}</QuietButton>}
    </AuthLayout>
  )
}

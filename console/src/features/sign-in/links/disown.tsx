import { Button } from '@mantine/core'
import { useState } from 'react'
import { asProblem, type Problem } from '../../../api/problem'
import common from '../../../messages/en/common.json'
import m from '../../../messages/en/links.json'
import signInMessages from '../../../messages/en/sign-in.json'
import { Link } from '../../../navigation/router'
import { AuthLayout } from '../../../ui/document/auth-layout'
import { ProblemMessage } from '../../../ui/form/problem-message'
import parts from '../../../ui/public/parts.module.css'
import { disown } from '../calls'

interface Props {
  token: string
  back: () => void
}

/** Removes, after a confirmation, what another person created with the email address. Shows whether the account was deleted. */
export function Disown({ token, back }: Props) {
  const [busy, setBusy] = useState(false)
  const [done, setDone] = useState<'deleted' | 'stays' | null>(null)
  const [problem, setProblem] = useState<Problem | null>(null)

  async function remove() {
    setBusy(true)
    setProblem(null)
    try {
      const { accountDeleted } = await disown(token)
      setDone(accountDeleted ? 'deleted' : 'stays')
    } catch (thrown) {
      setProblem(asProblem(thrown))
    } finally {
      setBusy(false)
    }
  }

  const toSignIn = <Link to="/login">{signInMessages.backToSignIn()}</Link>
  if (done) {
    const [title, lead] =
      done === 'deleted' ? [m.deletedTitle(), m.deletedLead()] : [m.resetTitleDone(), m.resetLeadDone()]
    return <AuthLayout glyph="check" glyphKind="ok" heading={title} lead={lead} below={toSignIn} />
  }
  return (
    <AuthLayout
      heading={m.disownTitle()}
      lead={m.disownText()}
      message={problem && <ProblemMessage problem={problem} />}
    >
      <div className={parts.pair}>
        <Button variant="default" onClick={back}>
          {common.cancel()}
        </Button>
        <Button color="red" loading={busy} onClick={remove}>
          {m.disownVerb()}
        </Button>
      </div>
    </AuthLayout>
  )
}

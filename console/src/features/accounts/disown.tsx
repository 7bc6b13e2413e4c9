import { Button } from '@mantine/core'
import { useState } from 'react'
import { asProblem, type Problem } from '../../api/problem'
import { Link } from '../../navigation/router'
import { AuthLayout } from '../../ui/auth-layout'
import { ProblemMessage } from '../../ui/form/problem-message'
import stack from '../../ui/stack.module.css'
import { layoutWords, signInWords, linkWords as words } from '../../words'
import { disown } from './calls'

interface Props {
  token: string
  back: () => void
}

/** Removes, after one more question, what another person created with the address; the page says whether the account was deleted. */
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

  const toSignIn = <Link to="/login">{signInWords.backToSignIn}</Link>
  if (done) {
    const { title, lead } = words.disowned[done]
    return <AuthLayout heading={title} lead={lead} below={toSignIn} />
  }
  return (
    <AuthLayout heading={words.disownTitle} lead={words.disownText}>
      <div className={stack.fields}>
        <ProblemMessage problem={problem} />
        <Button variant="default" fullWidth onClick={back}>
          {layoutWords.cancel}
        </Button>
        <Button color="red" fullWidth loading={busy} onClick={remove}>
          {words.disownVerb}
        </Button>
      </div>
    </AuthLayout>
  )
}

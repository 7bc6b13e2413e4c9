import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { asProblem, type Problem } from '../../api/problem'
import { signOut } from '../../api/sign-out'
import { boot } from '../../boot'
import { AuthLayout } from '../../design/auth-layout'
import { ProblemMessage } from '../../design/form/problem-message'
import stack from '../../design/stack.module.css'
import { signInWords as words } from '../../words'

/** Asks before it ends a session: any page of the web can lead a browser here. */
export function LogoutPage() {
  const navigate = useNavigate()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<Problem | null>(null)

  async function leave() {
    setBusy(true)
    setProblem(null)
    try {
      await signOut()
    } catch (thrown) {
      setProblem(asProblem(thrown))
      setBusy(false)
    }
  }

  return (
    <AuthLayout heading={words.logoutTitle(boot.instance.name)} lead={words.logoutLead}>
      <div className={stack.fields}>
        <ProblemMessage problem={problem} />
        <Button h={44} fz="md" fullWidth loading={busy} onClick={leave}>
          {words.logoutSubmit}
        </Button>
        <Button variant="default" h={44} fz="md" fullWidth onClick={() => navigate({ to: '/' })}>
          {words.stay}
        </Button>
      </div>
    </AuthLayout>
  )
}

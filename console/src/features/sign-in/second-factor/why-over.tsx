import { Problem } from '../../../api/problem'
import m from '../../../messages/en/sign-in-steps.json'
import { ProblemMessage } from '../../../ui/form/problem-message'
import { Notice } from '../../../ui/layout/notice'
import type { WhyOver } from './challenge'

/** Shows on the sign-in form why the previous sign-in ended. */
export function WhyItIsOver({ why }: { why: WhyOver }) {
  if (why instanceof Problem) return <ProblemMessage problem={why} />
  return (
    <Notice kind="info">
      <p>{m.ended({ reason: why })}</p>
    </Notice>
  )
}

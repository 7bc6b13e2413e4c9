import { Problem } from '../../api/problem'
import { ProblemMessage } from '../../ui/form/problem-message'
import { Notice } from '../../ui/notice'
import { challengeWords } from '../../words'
import type { WhyOver } from './challenge'

/** Says beside a form that begins anew why the sign-in before came to nothing. */
export function WhyItIsOver({ why }: { why: WhyOver }) {
  if (why instanceof Problem) return <ProblemMessage problem={why} />
  return (
    <Notice kind="info">
      <p>{challengeWords.over[why]}</p>
    </Notice>
  )
}

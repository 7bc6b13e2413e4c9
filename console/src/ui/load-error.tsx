import { Button } from '@mantine/core'
import { asProblem } from '../api/problem'
import { explain, layoutWords } from '../words'
import { Notice } from './notice'

interface Props {
  error: unknown
  retry: () => void
}

/** In place of what could not be loaded: why, under which number, and a way to try again. */
export function LoadError({ error, retry }: Props) {
  const problem = asProblem(error)
  return (
    <Notice kind="error" title={layoutWords.notLoaded}>
      <p>{explain(problem)}</p>
      {problem.requestId && <p>{layoutWords.requestId(problem.requestId)}</p>}
      <div>
        <Button variant="default" size="compact-md" onClick={retry}>
          {layoutWords.retry}
        </Button>
      </div>
    </Notice>
  )
}

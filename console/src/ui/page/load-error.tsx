import { Button } from '@mantine/core'
import { explain } from '../../api/explain'
import { asProblem } from '../../api/problem'
import common from '../../messages/en/common.json'
import { Notice } from '../layout/notice'

interface Props {
  error: unknown
  retry: () => void
}

/** Shows why loading failed, with the request ID and a button to try again. */
export function LoadError({ error, retry }: Props) {
  const problem = asProblem(error)
  return (
    <Notice kind="error" title={common.notLoaded()}>
      <p>{explain(problem)}</p>
      {problem.requestId && <p>{common.requestId({ id: problem.requestId })}</p>}
      <div>
        <Button variant="default" size="compact-md" onClick={retry}>
          {common.retry()}
        </Button>
      </div>
    </Notice>
  )
}

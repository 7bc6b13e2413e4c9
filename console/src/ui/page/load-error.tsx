import { Button, Group } from '@mantine/core'
import { explain } from '../../api/explain'
import { asProblem } from '../../api/problem'
import common from '../../messages/en/common.json'
import { Notice } from '../layout/notice'

interface Props {
  error: unknown
  retry: () => void
  /** clears the filters of a list, which can be the cause */
  reset?: () => void
}

/** Shows why loading failed, with the request ID and a button to try again. */
export function LoadError({ error, retry, reset }: Props) {
  const problem = asProblem(error)
  return (
    <Notice kind="error" title={common.notLoaded()}>
      <p>{explain(problem)}</p>
      {problem.requestId && <p>{common.requestId({ id: problem.requestId })}</p>}
      <Group gap="xs">
        <Button variant="default" size="compact-md" onClick={retry}>
          {common.retry()}
        </Button>
        {reset && (
          <Button variant="default" size="compact-md" onClick={reset}>
            {common.clearFilters()}
          </Button>
        )}
      </Group>
    </Notice>
  )
}

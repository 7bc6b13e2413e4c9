import { notifications } from '@mantine/notifications'
import common from '../messages/en/common.json'
import { explain } from './explain'
import type { Problem } from './problem'

/** Confirms a completed action in a few words, such as "Saved". Screen readers announce it when they are idle. */
export function showDone(message: string): void {
  // Its container is the live region: not every screen reader announces one that appears together with its text.
  notifications.show({ role: 'presentation', color: 'green', message })
}

/** Shows why a request was rejected, with the ID that finds it in the log. Screen readers announce it immediately. */
export function showProblem(problem: Problem): void {
  const { requestId } = problem
  notifications.show({
    role: 'alert',
    color: 'red',
    title: common.failed(),
    message: requestId ? `${explain(problem)} ${common.requestId({ id: requestId })}` : explain(problem),
    autoClose: 10_000,
  })
}

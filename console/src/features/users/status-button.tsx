import { Button } from '@mantine/core'
import m from '../../messages/en/users.json'
import { Icon } from '../../ui/icons/icon'
import type { UserWrites } from './mutations'
import type { User } from './queries'

interface Props {
  user: User
  /** opens the confirmation */
  suspend: () => void
  writes: UserWrites
}

/** Suspends, after a confirmation, or activates. */
export function StatusButton({ user, suspend, writes }: Props) {
  if (user.status === 'suspended')
    return (
      <Button variant="default" loading={writes.activate.isPending} onClick={() => writes.activate.mutate()}>
        {m.activate()}
      </Button>
    )
  return (
    <Button variant="default" c="red" leftSection={<Icon name="ban" />} onClick={suspend}>
      {m.suspend()}
    </Button>
  )
}

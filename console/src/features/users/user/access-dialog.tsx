import { Select, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import common from '../../../messages/en/common.json'
import m from '../../../messages/en/users.json'
import { Dialog } from '../../../ui/dialogs/dialog'
import { DialogActions } from '../../../ui/dialogs/dialog-actions'
import { applicationsQuery } from '../../applications/queries'
import { useCurrentTeam } from '../../organizations/current-team'
import type { User } from '../queries'
import { userName } from '../user-name'
import { AccessResult } from './access-result'

/** Checks the access of a user to an application. */
export function AccessDialog({ user, close }: { user: User; close: () => void }) {
  const { team } = useCurrentTeam()
  const name = userName(user)
  const applications = useQuery(applicationsQuery(team.id))
  const [application, setApplication] = useState<string | null>(null)
  return (
    <Dialog opened onClose={close} title={m.checkAccessTitle({ name })}>
      <Stack gap="sm">
        <Select
          label={m.application()}
          searchable
          data={(applications.data ?? []).map((one) => ({ value: one.id, label: one.name }))}
          value={application}
          onChange={setApplication}
          data-autofocus
        />
        {application && <AccessResult userId={user.id} name={name} applicationId={application} />}
        <DialogActions verb={common.close()} act={close} />
      </Stack>
    </Dialog>
  )
}

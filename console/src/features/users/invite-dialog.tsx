import { Select, Textarea } from '@mantine/core'
import { check, object, picklist, pipe, string, trim } from 'valibot'
import { explain } from '../../api/explain'
import { asProblem } from '../../api/problem'
import { useWrite } from '../../api/use-write'
import m from '../../messages/en/users.json'
import { FormDialog } from '../../ui/form/form-dialog'
import { useSchemaForm } from '../../ui/form/use-schema-form'
import { useCurrentTeam } from '../organizations/current-team'
import { MEMBER_ROLES, roleOptions } from '../roles/roles'
import { type InvitedRole, inviteMember } from './mutations'

const MAX_ADDRESSES = 50
/** Splits at commas, semicolons, spaces and line breaks, without duplicates. */
export const addressesIn = (text: string): string[] => [...new Set(text.split(/[\s,;]+/).filter(Boolean))]

const isAddress = (text: string) => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text)

const schema = object({
  addresses: pipe(
    string(),
    trim(),
    check(
      (text) => addressesIn(text).length > 0,
      () => m.addressesMissing(),
    ),
    check(
      (text) => addressesIn(text).length <= MAX_ADDRESSES,
      () => m.tooMany(),
    ),
    check(
      (text) => addressesIn(text).every(isAddress),
      ({ input }) => m.addressInvalid({ address: addressesIn(String(input)).find((one) => !isAddress(one)) ?? '' }),
    ),
  ),
  role: picklist(MEMBER_ROLES),
})

interface Outcome {
  failed: { address: string; reason: string }[]
  sent: number
}

/** Invites several email addresses with one role. Addresses that fail stay in the field, with the reason. */
export function InviteDialog({ close }: { close: () => void }) {
  const { team } = useCurrentTeam()
  const write = useWrite({
    act: ({ addresses, role }: { addresses: string[]; role: InvitedRole }) => inviteAll(team.id, addresses, role),
    refresh: [
      [team.id, 'users'],
      [team.id, 'invitations'],
    ],
    done: ({ sent }) => (sent > 0 ? m.invited({ count: sent }) : undefined),
    showsError: true,
  })
  const send = async ({ addresses, role }: { addresses: string; role: InvitedRole }) => {
    const { failed } = await write.mutateAsync({ addresses: addressesIn(addresses), role })
    if (failed.length === 0) return close()
    form.setFieldValue('addresses', failed.map(({ address }) => address).join('\n'))
    form.setFieldError('addresses', failed.map(m.inviteFailed).join(' '))
  }
  const { form, problem, busy, changes, onSubmit } = useSchemaForm({
    schema,
    initial: { addresses: '', role: 'MEMBER' as InvitedRole },
    send,
  })
  return (
    <FormDialog
      opened
      close={close}
      title={m.inviteTitle()}
      verb={m.send()}
      busy={busy}
      changes={changes}
      problem={problem}
      onSubmit={onSubmit}
    >
      <Textarea
        label={m.addresses()}
        description={m.addressesHelp()}
        autosize
        minRows={3}
        maxRows={8}
        data-autofocus
        {...form.getInputProps('addresses')}
        key={form.key('addresses')}
      />
      <Select
        label={m.role()}
        allowDeselect={false}
        data={roleOptions(MEMBER_ROLES)}
        {...form.getInputProps('role')}
        key={form.key('role')}
      />
    </FormDialog>
  )
}

/** One after the other: a rejected address does not stop the others. */
async function inviteAll(teamId: string, addresses: string[], role: InvitedRole): Promise<Outcome> {
  const outcome: Outcome = { failed: [], sent: 0 }
  for (const address of addresses)
    await inviteMember(teamId, address, role).then(
      () => {
        outcome.sent++
      },
      (thrown) => outcome.failed.push({ address, reason: explain(asProblem(thrown)) }),
    )
  return outcome
}

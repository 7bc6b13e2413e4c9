import { boot } from '../../../../boot'
import m from '../../../../messages/en/factors.json'
import { CodesOnce } from '../../../../ui/secrets/codes-once'
import { exactTime } from '../../../../ui/values/time'

interface Props {
  email: string
  codes: string[]
  done: () => void
}

/** Shows new backup codes, with the account and the date. */
export function BackupCodesOnce({ email, codes, done }: Props) {
  return (
    <CodesOnce
      codes={codes}
      label={m.codesLabel()}
      about={[
        m.codesFor({ instance: boot.instance.name, email }),
        m.codesCreated({ date: exactTime(new Date().toISOString()) }),
      ]}
      fileName={m.codesFile()}
      done={done}
    />
  )
}

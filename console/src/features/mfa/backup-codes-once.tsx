import { boot } from '../../boot'
import m from '../../messages/en/factors.json'
import { CodesOnce } from '../../ui/codes-once'
import { exactTime } from '../../ui/time'

interface Props {
  email: string
  codes: string[]
  done: () => void
}

/** A new set of backup codes, with what its reader must know of it in a year. */
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

import { boot } from '../../boot'
import { CodesOnce } from '../../ui/codes-once'
import { exactTime, factorWords as words } from '../../words'

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
      label={words.codesLabel}
      about={[words.codesFor(boot.instance.name, email), words.codesMade(exactTime(new Date().toISOString()))]}
      fileName={words.codesFile}
      done={done}
    />
  )
}

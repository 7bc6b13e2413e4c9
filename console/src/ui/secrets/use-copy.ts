import { useState } from 'react'
import common from '../../messages/en/common.json'
import { announce } from '../document/announcer'

/** Copies `value` and announces its label, not the value. `done` is true for two seconds afterwards. */
export function useCopy(label: string, value: string, copied: () => void = () => {}) {
  const [done, setDone] = useState(false)
  async function copy() {
    // Not available on plain http and by policy; the value can still be selected manually.
    const failed = () => announce(common.copyFailed())
    if (!navigator.clipboard) return failed()
    await navigator.clipboard.writeText(value).then(() => {
      setDone(true)
      announce(common.copied({ what: label }))
      setTimeout(() => setDone(false), 2000)
      copied()
    }, failed)
  }
  return { copy, done, name: done ? common.copied({ what: label }) : common.copyValue({ what: label }) }
}

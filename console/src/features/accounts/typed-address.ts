import { boot } from '../../boot'

let address: string | undefined

/** The address typed on an earlier page of this tab: nothing is asked twice, and it stays out of the URL. */
export function typedAddress() {
  return address ?? boot.loginHint ?? ''
}

export function rememberAddress(typed: string) {
  address = typed.trim()
}

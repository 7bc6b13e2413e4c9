import { boot } from '../../boot'

let address: string | undefined

/** The email address typed on an earlier page of this tab: it prefills the next form and stays out of the URL. */
export function typedAddress() {
  return address ?? boot.loginHint ?? ''
}

export function rememberAddress(typed: string) {
  address = typed.trim()
}

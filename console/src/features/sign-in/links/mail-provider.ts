/** Web mail pages of well-known domains. */
const providers: Record<string, { name: string; url: string }> = {
  'gmail.com': { name: 'Gmail', url: 'https://mail.google.com/' },
  'googlemail.com': { name: 'Gmail', url: 'https://mail.google.com/' },
  'outlook.com': { name: 'Outlook', url: 'https://outlook.live.com/mail/' },
  'hotmail.com': { name: 'Outlook', url: 'https://outlook.live.com/mail/' },
  'live.com': { name: 'Outlook', url: 'https://outlook.live.com/mail/' },
  'yahoo.com': { name: 'Yahoo Mail', url: 'https://mail.yahoo.com/' },
  'icloud.com': { name: 'iCloud Mail', url: 'https://www.icloud.com/mail' },
  'proton.me': { name: 'Proton Mail', url: 'https://mail.proton.me/' },
  'protonmail.com': { name: 'Proton Mail', url: 'https://mail.proton.me/' },
  'fastmail.com': { name: 'Fastmail', url: 'https://app.fastmail.com/' },
  'gmx.de': { name: 'GMX', url: 'https://www.gmx.net/' },
  'web.de': { name: 'WEB.DE', url: 'https://web.de/' },
}

export function mailProvider(email: string) {
  return providers[email.slice(email.lastIndexOf('@') + 1).toLowerCase()]
}
